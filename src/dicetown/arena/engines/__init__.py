"""Where games are played: on the threads of this machine, or by the processes of a Ray cluster."""
