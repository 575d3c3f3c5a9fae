"""Bots that think: what the champion likes and foresees, tried out in playouts within a budget."""
