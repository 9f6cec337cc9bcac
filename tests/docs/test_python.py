"""Every Python sample in the documentation runs, and so do the tests with Hypothesis in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from unittest import TestCase

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAMPLES = [
    (f"{page.relative_to(ROOT)}:{page.read_text('utf-8').count(chr(10), 0, fence.start()) + 1}", fence[1])
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    for fence in FENCE.finditer(page.read_text("utf-8"))
]


@pytest.mark.parametrize("place, code", SAMPLES, ids=[place for place, _ in SAMPLES])
def test_a_python_sample_runs(place: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    settings.register_profile("samples", max_examples=10, database=None, derandomize=True)
    names: dict[str, Any] = {"__name__": "sample"}
    settings.load_profile("samples")
    try:
        exec(compile(code, place, "exec"), names)
    finally:
        settings.load_profile("default")
    for value in names.values():
        if getattr(value, "is_hypothesis_test", False):
            value()
        elif isinstance(value, type) and issubclass(value, TestCase):
            value("runTest").runTest()
