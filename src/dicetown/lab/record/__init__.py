"""Games written down: played by the million, watched, kept as Parquet with a manifest, and asked with
DuckDB.
"""
