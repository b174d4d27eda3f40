"""Closed-form bounds on total latencies of the process at finite n and M, and families of instances; the theorems are in the text."""
