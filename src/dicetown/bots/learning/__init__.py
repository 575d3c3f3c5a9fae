"""What is learned from games: the judge that tells at a glance who will win, its lessons and its weights."""
