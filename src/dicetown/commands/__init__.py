"""The commands of ``dicetown``: a module each, whose ``run`` declares its options and does the work.

A module is imported when its command is called or asked for its help, so that none waits for what only
another one needs.
"""

#: All commands, in the order of the help.
COMMANDS = (
    "play", "serve", "scenario", "simulate", "arena", "ladder", "lab", "doctor", "backup", "restore", "erase",
    "tune", "bench", "replay", "advise", "review", "verify", "cards", "bots", "train",
    "languages",
)  # fmt: skip
