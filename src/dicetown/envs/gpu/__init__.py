"""A batch of games in step on a GPU: number for number the games of a batch on the CPU."""
