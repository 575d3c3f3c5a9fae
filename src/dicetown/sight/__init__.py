"""What an agent sees and may do, as numbers: the layout of a ruleset, and the kernels that write it."""
