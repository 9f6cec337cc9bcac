"""Files, options and variants become one set of declarations."""

from __future__ import annotations

from dsl.composition import Composition, Lookup, OptionValue, Placed, PlacedRow

__all__ = ["Composition", "Lookup", "OptionValue", "Placed", "PlacedRow"]
