"""`rulesrun explain`: what the code of a finding stands for, with its page where there is one."""

from __future__ import annotations

from dsl.codes import CODES
from dsl.suggest import closest
from rulesrun.locate import NotFound, shipped

BLOCKS = {
    "01": "how the text is read",
    "02": "names",
    "03": "types",
    "04": "declarations and tables",
    "05": "statements and the order of play",
    "06": "what a game is put together from: modules, variants, options",
    "07": "boards",
    "08": "tests",
    "09": "things that are allowed and probably not meant",
    "10": "what goes wrong while a game is played",
}


def print_code(code: str) -> int:
    """Print what is known of a code. Raises `NotFound` for one that does not exist."""
    wanted = code.upper()
    if wanted not in CODES:
        near = closest(wanted, CODES)
        raise NotFound(f"there is no code `{code}`" + (f": did you mean `{near}`?" if near else ": they look like CG0203"))
    title = CODES[wanted]
    print(f"{wanted}: {title[0].upper()}{title[1:]}.")
    print(f"It is about {BLOCKS[wanted[2:4]]}.")
    page = shipped("docs") / "errors" / f"{wanted}.md"
    if page.is_file():
        print(f"\n{page.read_text(encoding='utf-8').strip()}")
    return 0
