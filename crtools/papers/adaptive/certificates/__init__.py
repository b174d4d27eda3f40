"""What the certificates of the paper's claims carry: one module per kind of evidence, and the table of all."""
