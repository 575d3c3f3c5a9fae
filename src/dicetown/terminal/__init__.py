"""The terminal game: a table for people and bots at one keyboard."""
