"""How results are shown: tables and proofs on a terminal."""
