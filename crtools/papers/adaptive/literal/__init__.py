"""Second computations behind refutations: the paper's sums and rules to the letter, sharing no code with the rest."""
