"""What a study may say: figures with intervals that hold, in sections that can be shown anywhere."""
