"""`rulesrun`, and `python -m rulesrun`: the command line, also for who stops it while it is still being loaded."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    """Run, and leave with the exit code."""
    try:
        from rulesrun.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
