"""Where tables are kept: databases and their migrations, the one thread that writes, the lease, copies and
erasure.
"""
