"""Choices as blocks: ask, wait, bind the answer, run what follows it."""

from __future__ import annotations

import ast

from interpreter.compile.blocks import Blocks
from interpreter.compile.expressions import Function
from interpreter.compile.python import PyExpr, PyStmt
from interpreter.program import Node, Site


class Choices(Blocks):
    """Writes the choices of people: one, one after another, several picks, and all in secret at once."""

    def write_options(self, site: Site) -> None:
        """`o{site}(S, f, p)`: the options of a choice, as often as asked, from the frame."""
        outer = self.function
        self.function = Function(framed=True)
        value = self._offered(site, self.name("p"))
        self.written.append(self.define(f"o{site.number}", ["S", "f", "p"], [*self.prologue(), self.returns(value)]))
        self.function = outer

    def _offered(self, site: Site, player: PyExpr) -> PyExpr:
        """What this player can choose."""
        if site.kind == "several":
            h = site.hidden
            return self.call(
                "several_options", self.name("S"), self.const(site.number), player, *map(self.local, (h + 3, h + 4, h + 5))
            )
        value = self.options(site)
        if not site.plain:
            value = self.call("offered", self.name("S"), self.const(site.number), player, value)
        return self.call("with_decline", value) if site.optional else value

    def _gathered_options(self, site: Site, player: PyExpr) -> list[PyStmt]:
        """What this player can choose, put into `_options`."""
        into = self.target("_options")
        if site.kind != "pick" or len(site.lines[0].binders) != 1:
            return [self.assign(into, self._offered(site, player))]
        line = site.lines[0]
        made = self.gathered("_options", line.binders[0], line.condition, line.cells)
        value = self.name("_options")
        if not site.plain:
            value = self.call("offered", self.name("S"), self.const(site.number), player, value)
        if site.optional:
            value = self.call("with_decline", value)
        return made if isinstance(value, ast.Name) else [*made, self.assign(into, value)]

    def ask(self, site: Site, player: PyExpr, resume: int, nothing: int) -> None:
        """Ask, going on at `resume` with the answer; at `nothing` if there is nothing to choose."""
        if self.observed:
            call = self.call(
                "ask", self.name("S"), self.name("f"), self.const(site.number), player, self.const(resume), self.const(nothing)
            )
            self.out.append(self.returns(call))
        else:  # the same, written out
            p, options = self.name("_p"), self.name("_options")
            asking = [
                *self._gathered_options(site, p),
                self.when(options, [
                    self.assign(self.item(self.name("f"), self.const(0), store=True), self.const(resume)),
                    self.assign(self.state_target("options"), options),
                    self.assign(self.state_target("asked"), p),
                    self.assign(self.state_target("site"), self.const(site.number)),
                    self.returns(self.const(True)),
                ]),
            ]  # fmt: skip
            self.out.append(self.assign(self.target("_p"), player))
            if self.program.all_stay:
                self.out += asking
            else:
                self.out.append(self.when(self.compare(ast.In(), p, self.attribute(self.name("S"), "live")), asking))
            self.out += self.go(nothing)
        self.dead = True

    def step_choose(
        self, number: int, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...], otherwise: tuple[Node, ...] | None
    ) -> None:
        site = self.program.sites[number]
        if site.subject is not None or site.each is not None:
            self.write_options(site)
        after = self.new_pc()
        if site.each is not None:
            self._each(site, body, lines, otherwise, after)
            self.start(after)
            return
        nothing = self.new_pc()
        if site.subject is None:
            self._by_chance(site, body, lines, nothing, after)
        else:
            resume = self.new_pc()
            if site.kind == "several":
                self._ask_several(site, self.expr(site.subject), resume, nothing)
            else:
                self.ask(site, self.expr(site.subject), resume, nothing)
                self.close()
                self.open(resume)
            self._chosen(site, body, lines, nothing, after)
        self.start(nothing)
        self.sequence(otherwise)
        self.start(after)

    def _chosen(
        self, site: Site, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...], nothing: int, after: int
    ) -> None:
        """What follows an answer: `S.answer` is a value, or the choice was declined."""
        answer = self.attribute(self.name("S"), "answer")
        if site.optional and site.kind != "several":
            self.out.append(self.when(self.compare(ast.Is(), answer, self.name("DECLINE")), self.go(nothing)))
        who = site.hidden + 1
        if self.observed and site.kind != "several":
            self.out.append(self.assign(self.local_target(who), self.attribute(self.name("S"), "asked")))
        self._run_chosen(site, answer, self.local(who), body, lines, after)

    def _run_chosen(
        self,
        site: Site,
        answer: PyExpr,
        who: PyExpr,
        body: tuple[Node, ...] | None,
        lines: tuple[tuple[Node, ...], ...],
        after: int,
    ) -> None:
        done = self.note("done", self.const(site.number), who)
        if site.kind != "menu":
            self.out += self.bind(site, answer)
            self.sequence(body)
            if not self.dead:
                self.out += done
            self.jump(after)
            return
        self.out.append(self.assign(self.target("_answer"), answer))
        starts = [self.new_pc() for _ in lines]
        for number, pc in enumerate(starts):
            test = self.compare(ast.Eq(), self.item(self.name("_answer"), self.const(0)), self.const(number))
            values = self.item(self.name("_answer"), self.const(1))
            self.out.append(self.when(test, self.bind(site, values, number) + self.go(pc)))
        self.out.append(self.returns())
        self.dead = True
        for line, pc in zip(lines, starts, strict=True):
            self.close()
            self.open(pc)
            self.sequence(line)
            if not self.dead:
                self.out += done
            self.jump(after)

    def _ask_several(self, site: Site, player: PyExpr, resume: int, nothing: int) -> None:
        """Picks one after another; afterwards `S.answer` is the tuple of them."""
        assert site.several is not None
        h = site.hidden
        self.out += [self.assign(self.local_target(h + 1), player)]
        self._picks(site, h + 1, resume, nothing)
        self.out.append(self.assign(self.state_target("answer"), self.local(h + 4)))
        if site.optional:  # nothing was taken: declined
            nothing_taken = self.negated(self.attribute(self.name("S"), "answer"))
            self.out.append(self.when(nothing_taken, self.go(nothing)))

    def _picks(self, site: Site, player: int, resume: int, nothing: int) -> None:
        """Ask for one pick after another; ends in the block `resume`, at `nothing` if he is out or nothing can be picked."""
        h = site.hidden
        self.out += self._candidates(site)
        none = self.either(
            self.compare(ast.NotIn(), self.local(player), self.attribute(self.name("S"), "live")), self.negated(self.local(h + 3))
        )
        self.out.append(self.when(none, self.go(nothing)))
        turn, taken = self.new_pc(), self.new_pc()
        self.start(turn)
        self.ask(site, self.local(player), taken, resume)
        self.close()
        self.open(taken)
        self.out += [self.run(self.call("take_pick", self.name("S"), self.name("f"), self.const(h + 5)))]
        declined = self.compare(ast.Is(), self.attribute(self.name("S"), "answer"), self.name("DECLINE"))
        self.out.append(self.when(declined, self.go(resume)))
        self.jump(turn)
        self.close()
        self.open(resume)

    def _candidates(self, site: Site) -> list[PyStmt]:
        """What can be picked, nothing picked yet, and how many may be."""
        assert site.several is not None
        h = site.hidden
        least, most, _, source = site.several
        low: PyExpr = self.expr(least)
        limits = self.call("limits", low, self.expr(most), self.call("len", self.local(h + 3)), self.const(site.optional))
        return [
            self.assign(self.local_target(h + 3), self.call("tuple", self.source(source))),
            self.assign(self.local_target(h + 4), self.const(())),
            self.assign(self.local_target(h + 5), limits),
        ]

    def _by_chance(
        self, site: Site, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...], nothing: int, after: int
    ) -> None:
        self.out.append(self.assign(self.target("_values"), self.options(site)))
        self.out.append(self.when(self.negated(self.name("_values")), self.go(nothing)))
        if site.kind == "several":
            assert site.several is not None
            pick = self.call(
                "pick_several", self.name("S"), self.const(site.number), self.name("_values"), *self.many(site.several[:2])
            )
        else:
            pick = self.call("pick_one", self.name("S"), self.const(site.number), self.name("_values"))
        self.out.append(self.assign(self.target("_picked"), pick))
        self._run_chosen(site, self.name("_picked"), self.const(None), body, lines, after)

    def _each(
        self, site: Site, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...],
        otherwise: tuple[Node, ...] | None, after: int,
    ) -> None:  # fmt: skip
        """Everybody answers in turn, the answers kept in the frame; then the blocks run in seat order, that of `otherwise` for
        whoever declined or had nothing to choose (his answer is None then)."""
        assert site.each is not None
        h = site.hidden
        each, source = site.each
        players, place, answers = h, h + 1, h + 2
        self.out += [
            self.assign(self.local_target(players), self.call("tuple", self.source(source))),
            self.assign(self.local_target(place), self.const(0)),
            self.assign(self.local_target(answers), self.const(())),
        ]
        ask, nothing, given, run, next_, declined = (self.new_pc() for _ in range(6))
        self.start(ask)
        self.out += [
            self.assign(self.target("_i"), self.local(place)),
            self.when(self.compare(ast.GtE(), self.name("_i"), self.call("len", self.local(players))), self.go(run)),
            self.assign(self.local_target(each), self.item(self.local(players), self.name("_i"))),
        ]
        if site.kind == "several":
            self._picks(site, each, self.new_pc(), nothing)
            picked = self.local(h + 4)
            if site.optional:  # nothing was taken: declined
                picked = self.either(picked, self.name("DECLINE"))
            self.out.append(self.assign(self.state_target("answer"), picked))
            self.jump(given)
            self.close()
        else:
            self.ask(site, self.local(each), given, nothing)
            self.close()
        self.open(nothing)
        self.out.append(self.assign(self.state_target("answer"), self.const(None)))
        self.start(given)
        answer = self.tuple_([self.attribute(self.name("S"), "answer")])
        self.out += [
            self.assign(self.local_target(answers), self.binary(ast.Add(), self.local(answers), answer)),
            self.assign(self.local_target(place), self.binary(ast.Add(), self.local(place), self.const(1))),
        ]
        self.jump(ask)
        self.start(run)
        self.out += [self.run(self.call("reveal_answers", self.name("S"), self.name("f"), self.const(site.number), self.const(h)))]
        self.start(next_)
        self.next_of(answers, place, after)
        self.out.append(self.assign(self.local_target(each), self.item(self.local(players), self.name("_i"))))
        element = self.name("_element")
        noted = self.note("choose", self.local(each), self.const(site.number), element, self.const(False))
        if noted:
            self.out.append(self.when(self.compare(ast.IsNot(), element, self.const(None)), noted))
        self.out.append(self.when(self.call("no_answer", self.name("S"), element, self.local(each)), self.go(declined)))
        self._run_chosen(site, element, self.local(each), body, lines, next_)
        self.start(declined)
        self.sequence(otherwise)
        self.jump(next_)
