"""Boards: spaces, steps, and what can be wrong with a map."""

from __future__ import annotations

from textwrap import indent

import pytest
from shelf import Shelf

from dsl import ast, model, parse
from dsl.boards import build_board
from dsl.diagnostics import Report, Severity
from dsl.source import NOWHERE
from dsl.types import FLAG, NUMBER, SpaceType

LEGEND = 'legend:\n    mark  door\n    "."   no\n    "D"   yes'


def board(
    rows: list[str], rest: str, *, report: Report | None = None, head: str = "", attributes: tuple[str, ...] = ("door",)
) -> model.Board:
    """A board from the rows of its map and the lines below; a rule's condition may be `a.door and b.door` or a name in RULES."""
    params = ", ".join(f"{name}: flag" for name in attributes)
    lines = "\n".join(row if '"' in row else f'"{row}"' for row in rows)
    text = f'game "G" for 2 players\nboard B({params}):{head}\n    map:\n{indent(lines, " " * 8)}\n{indent(rest, " " * 4)}\n'
    own = report if report is not None else Report()
    shelf = Shelf(game=text)
    file = parse.read(shelf["game"], own)
    assert file is not None and not own.found, own.found
    [written] = file.items
    assert isinstance(written, ast.Board)
    made = model.Board(
        "B", "game.B", written.span, attributes=[model.Column(n, FLAG, written.attributes[0].span) for n in attributes]
    )

    def cell(expr: ast.Expr, column: model.Column) -> object:
        assert isinstance(expr, ast.Flag)
        return expr.value

    def rule(line: ast.StepsRule) -> tuple[model.Local, model.Local, model.Expr] | None:
        space = SpaceType("game.B", "B")
        a, b = model.Local("a", space, NOWHERE), model.Local("b", space, NOWHERE)
        return a, b, RULES[line.where.span.text](a, b, line)

    build_board(written, made, rule, cell, own)
    if report is None:
        assert list(own) == []
    else:
        shelf.expect_marked(own)
    return made


def _doors(a: model.Local, b: model.Local, line: ast.StepsRule) -> model.Expr:
    one, two = (
        model.Attribute(type=FLAG, span=line.span, of=model.LocalRef(type=x.type, span=line.span, local=x), column=0)
        for x in (a, b)
    )
    return model.Binary(type=FLAG, span=line.span, op="and", left=one, right=two)


def _to_the_right(a: model.Local, b: model.Local, line: ast.StepsRule) -> model.Expr:
    one, two = (
        model.Property(type=NUMBER, span=line.span, of=model.LocalRef(type=x.type, span=line.span, local=x), name="column")
        for x in (a, b)
    )
    return model.Binary(type=FLAG, span=line.span, op="<", left=one, right=two)


def _in_play(a: model.Local, b: model.Local, line: ast.StepsRule) -> model.Expr:
    return model.Builtin(type=FLAG, span=line.where.span, name="finished")


def _broken(a: model.Local, b: model.Local, line: ast.StepsRule) -> model.Expr:
    zero = model.Literal(type=NUMBER, span=line.where.span, value=0)
    divided = model.Binary(type=NUMBER, span=line.where.span, op="/", left=zero, right=zero)
    return model.Binary(type=FLAG, span=line.where.span, op="<", left=divided, right=zero)


RULES = {"a.door and b.door": _doors, "a.column < b.column": _to_the_right, "finished": _in_play, "0 / 0 < 0": _broken}


def steps(made: model.Board) -> dict[tuple[int, int], set[tuple[int, int]]]:
    where = [(space.column, space.row) for space in made.spaces]
    return {where[i]: {where[j] for j in found} for i, found in enumerate(made.neighbours)}


def test_spaces_are_in_reading_order_and_walls_are_none() -> None:
    made = board([".#D", "..."], f'{LEGEND}\nblocked: "#"\nsteps orthogonal')
    assert [(s.column, s.row, s.sign, s.values) for s in made.spaces][:2] == [(0, 0, ".", (False,)), (2, 0, "D", (True,))]
    assert made.size == (3, 2)
    assert made.grid[2, 0] == 1 and (1, 0) not in made.grid
    assert made.neighbours == [(2,), (4,), (0, 3), (2, 4), (1, 3)]


def test_orthogonal_and_diagonal_steps_add_up() -> None:
    rows, legend = ["..", ".."], 'legend:\n    mark  door\n    "."   no\n'
    assert steps(board(rows, legend + "steps orthogonal"))[0, 0] == {(1, 0), (0, 1)}
    assert board(["..", ".."], legend + "steps orthogonal\nsteps diagonal").neighbours[0] == (1, 2, 3)


def test_a_rule_joins_spaces_far_apart_and_may_lead_one_way() -> None:
    made = board(["D..", "..D"], f"{LEGEND}\nsteps orthogonal\nsteps from a to b where a.door and b.door")
    assert steps(made)[0, 0] == {(1, 0), (0, 1), (2, 1)}
    assert steps(board(["D.."], f"{LEGEND}\nsteps from a to b where a.column < b.column")) == {
        (0, 0): {(1, 0), (2, 0)},
        (1, 0): {(2, 0)},
        (2, 0): set(),
    }


def test_columns_of_the_legend_may_come_in_any_order() -> None:
    legend = 'legend:\n    mark  hot  door\n    "."   yes  no\n'
    assert board([".."], legend + "steps orthogonal", attributes=("door", "hot")).spaces[0].values == (False, True)


@pytest.mark.parametrize(
    ("rows", "rest"),
    [
        (['"..D"  #? CG0701', '"..."', '".."  #! CG0701'], f"{LEGEND}\nsteps orthogonal"),
        (['"D.?"  #! CG0702', '"..?"'], f"{LEGEND}\nsteps orthogonal"),
        (["D."], 'legend:\n    mark  door\n    "D."  no  #? CG0703\nblocked: "."  #! CG0703\nsteps orthogonal'),
        (["D."], 'legend:\n    mark  door\n    "D"   yes  #? CG0706\n    ".D"  no  #! CG0706\nsteps orthogonal'),
        (["D."], 'legend:\n    mark  door\n    "D."  yes\n    "x"   no  #! CG0709\nsteps orthogonal'),
        (["D."], 'legend:\n    mark  door\n    "D"  yes  no  #! CG0704\n    "."  #! CG0704\nsteps orthogonal'),
        (["."], 'legend:\n    mark  door\n    x  yes  #! CG0705\n    "."  yes\nsteps orthogonal'),
        (["."], 'legend:\n    mark  dor  #! CG0707\n    "."   yes\nsteps orthogonal'),
        (["."], 'legend:\n    mark  door  door  #! CG0707\n    "."   yes   no\nsteps orthogonal'),
        (["."], 'legend:\n    mark  #! CG0707\n    "."\nsteps orthogonal'),
        (["D."], f"{LEGEND}\nsteps orthogonal\nsteps from a to b where finished  #! CG0710"),
        (["D."], f"{LEGEND}\nsteps orthogonal\nsteps from a to b where 0 / 0 < 0  #! CG0711"),
    ],
)
def test_maps_that_are_wrong(rows: list[str], rest: str) -> None:
    board(rows, rest, report=Report())


def test_a_board_needs_spaces() -> None:
    board(
        ["##"],
        'legend:\n    mark  door\n    "."   no  #! CG0709\nblocked: "#"\nsteps orthogonal',
        report=Report(),
        head="  #! CG0708",
    )


def test_parts_that_no_step_joins_are_a_warning_at_the_sign() -> None:
    report = Report()
    board(
        ['"D.#."  #! CG0905', '"..##"', '"####"', '"#..#"  #! CG0905'], f'{LEGEND}\nblocked: "#"\nsteps orthogonal', report=report
    )
    assert {d.severity for d in report} == {Severity.WARNING}
    assert [d.span.text for d in report] == [".", "."]
    assert "(2 spaces)" in report.found[1].title


def test_a_blocked_sign_that_is_not_drawn_is_a_warning() -> None:
    board(["D."], f'{LEGEND}\nblocked: "#"  #! CG0909\nsteps orthogonal', report=Report())


def test_signs_may_be_quotes_backslashes_and_braces() -> None:
    rows = [r'"\"{{}\\"']
    legend = 'legend:\n    mark  door\n    "\\"{{}\\\\"   no\n'
    made = board(rows, legend + "steps orthogonal")
    assert [space.sign for space in made.spaces] == ['"', "{", "}", "\\"]
