"""A service of several processes: a gateway that keeps the pages' connections, and who starts all of them.

Which process lives and which table is whose is settled in the database (``server/store``); what a worker does
about that is part of looking after tables (``server/table/sharing.py``).
"""
