"""A look at a running installation, from outside and into its database: what is right, and what is wrong."""
