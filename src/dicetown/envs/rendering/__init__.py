"""How an environment shows its table: as text, or as a picture."""
