"""The table as lines of text: cities, market, odds and log, for a terminal or an environment."""
