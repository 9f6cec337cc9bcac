"""Consoles as this program wants them: plain text stays plain, and a closed pipe is no reason to leave with an error."""

from __future__ import annotations

from typing import NoReturn

import rich.console

WIDEST = 140
NARROWEST = 20
"""columns: on less than that, lines are longer than the screen"""


class Console(rich.console.Console):
    """Prints what it is given. Raises `BrokenPipeError` when nobody reads any more, where rich would end the process."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(highlight=False, emoji=False, markup=False, stderr=stderr, width=width)
        self.width = min(WIDEST, max(NARROWEST, self.width))

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError
