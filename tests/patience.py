"""How long tests wait for what must come. It costs a test that passes nothing, and machines may be busy."""

PATIENCE = 60.0  # seconds
