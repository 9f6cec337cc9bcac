"""Hypothesis strategies: for rules files, and for plays of them."""

from rulesrun.strategies.programs import Program, mutated, programs

__all__ = ["Program", "mutated", "programs"]
