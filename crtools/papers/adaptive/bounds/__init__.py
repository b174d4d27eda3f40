"""What the text's theorems on the process say of totals, in closed form: bounds at finite n and M, and families of instances."""
