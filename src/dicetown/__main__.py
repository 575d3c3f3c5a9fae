"""``python -m dicetown``: the same as the command ``dicetown``."""

from dicetown.cli import main

if __name__ == "__main__":
    main()
