"""The game at a table: who sits there, whose time runs, what is stored and told, and all tables together."""
