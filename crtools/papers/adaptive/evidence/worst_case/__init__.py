"""The worst case of A_min's form: its order, the fit of the figure, laws on the ends of the interval."""
