"""Section 5: laws on two lengths and laws with one parameter."""
