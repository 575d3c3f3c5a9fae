"""The rules engine: rulesets, states, and the kernels that step from one to the next."""
