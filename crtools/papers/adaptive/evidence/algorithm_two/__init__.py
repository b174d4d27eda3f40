"""Algorithm 2 to the letter: bounds, transitions, cost, refined intervals, and a policy that beats it."""
