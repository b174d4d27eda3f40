"""Deciders return evidence for a finding: a formula is right, a bound holds, a measured figure lies within limits."""
