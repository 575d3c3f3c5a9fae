"""Games on a GPU: the rules' own code as device functions, records cut down to what a ruleset needs, whole
games in threads.
"""
