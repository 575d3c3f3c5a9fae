"""What the commands of ``dicetown`` do; :mod:`dicetown.cli` names them and their options.

Each is imported when it is called, so that none waits for what only another one needs.
"""
