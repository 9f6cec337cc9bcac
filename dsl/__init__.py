"""Text to checked rules: parse, build, compose, check. Pure: reads no files and knows nothing of play."""
