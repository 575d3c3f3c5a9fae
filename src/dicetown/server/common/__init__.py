"""What every room of the service uses: its settings, clocks, waiting lines, logs, metrics and background
work.
"""
