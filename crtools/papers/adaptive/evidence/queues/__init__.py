"""A_max and A_random: their forms' exact suprema, their processes, and queues in a fixed order."""
