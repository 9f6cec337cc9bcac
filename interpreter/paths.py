"""The short simple paths of a board, kept as bit masks, for searches that must not enter a space twice.

A simple path through the empty board is one through a board with pieces if none of the spaces it passes is blocked: a test of one
mask against another. So the paths are found once, of each start and length when they are first asked for, and every later search
only compares masks."""

from __future__ import annotations

from attrs import define, field

SHORT = 6
"""steps of the longest paths that are kept: a longer one is put together from two"""
BYTES = 16_000_000
"""that the paths of one length may fill, whatever the board"""


@define(frozen=True, eq=False)
class Fan:
    """The simple paths of one length from one space. `ends`: each end as a bit, with the sets of spaces between start and end that
    such paths pass, as masks; `size` says how many sets these are."""

    size: int
    ends: tuple[tuple[int, tuple[int, ...]], ...]


@define(eq=False)
class Paths:
    """The fans of a board, made when they are asked for. `out` are the spaces one step from each, as masks."""

    out: tuple[int, ...]
    _fans: dict[int, list[Fan | None]] = field(factory=dict, init=False)

    @property
    def widest(self) -> int:
        """The largest size of a fan that is kept. It depends on nothing but the board, so that what a search costs never depends on
        what was asked before."""
        spaces = len(self.out)
        return BYTES // (spaces * (spaces // 8 + 40))

    def fan(self, start: int, length: int) -> Fan | None:
        """All simple paths of so many steps, None if they are too many to be kept."""
        fans = self._fans.get(start)
        if fans is None:
            fans = self._fans[start] = [Fan(1, ((1 << start, (0,)),))]
        while len(fans) <= length:
            fans.append(self._longer(fans[-1], 1 << start))
        return fans[length]

    def _longer(self, fan: Fan | None, start: int) -> Fan | None:
        """The fan of paths that go one step further."""
        if fan is None:
            return None
        widest, size = self.widest, 0
        made: dict[int, set[int]] = {}
        for here, passes in fan.ends:
            spaces = self.out[here.bit_length() - 1] & ~start
            entered = here & ~start
            while spaces:
                end = spaces & -spaces
                spaces ^= end
                found = made.setdefault(end, set())
                size -= len(found)
                found.update([passed | entered for passed in passes if not passed & end])
                size += len(found)
                if size > widest:
                    return None
        return Fan(size, tuple((end, tuple(found)) for end, found in sorted(made.items()) if found))
