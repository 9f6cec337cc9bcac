"""Checked rules to play: lower, compile, start, step. Deterministic; no console, no clock, no global randomness."""
