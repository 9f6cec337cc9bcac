"""The parser's tree to `dsl.ast`: one method for each alternative of the grammar, named like it."""

from __future__ import annotations

from typing import cast

from attrs import evolve, frozen
from lark import Token

from dsl import ast
from dsl.build_values import Branch, Part, Values
from dsl.source import Span


@frozen
class Builder(Values):
    """Builds the tree of one file."""

    # ── the file ──

    def file(self, tree: Branch, comments: tuple[ast.Comment, ...]) -> ast.File:
        header, *items = tree.children
        return ast.File(
            span=Span(self.source, 0, len(self.source.text)),
            source=self.source,
            header=self.build(header),
            doc=self.docs.file,
            items=tuple(self.build(item) for item in items),
            comments=comments,
        )

    # ── headers ──

    def build_game_header(self, tree: Branch, name: Token, players: Branch) -> ast.GameHeader:
        return ast.GameHeader(span=self.span(tree), name=self.string(name), players=self.build(players))

    def build_module_header(self, tree: Branch, name: Token) -> ast.ModuleHeader:
        return ast.ModuleHeader(span=self.span(tree), name=self.string(name))

    def build_variant_header(self, tree: Branch, name: Token, base: Token, players: Part) -> ast.VariantHeader:
        return ast.VariantHeader(span=self.span(tree), name=self.string(name), base=self.leaf(base), players=self.build(players))

    def build_tests_header(self, tree: Branch, base: Token) -> ast.TestsHeader:
        return ast.TestsHeader(span=self.span(tree), base=self.leaf(base))

    # ── things that exist ──

    def build_use(self, tree: Branch, name: Token) -> ast.Use:
        return ast.Use(span=self.span(tree), doc=self.doc(tree), module=self.leaf(name))

    def build_kind(self, tree: Branch, name: Token, *lines: Branch) -> ast.Kind:
        members = tuple(self.build(member) for line in lines for member in line.children)
        return ast.Kind(span=self.span(tree), doc=self.doc(tree), name=self.leaf(name), members=members)

    def build_member(self, tree: Branch, name: Token, display: Token | None) -> ast.Member:
        return ast.Member(span=self.span(tree), name=self.leaf(name), display=self.build(display))

    def build_card(self, tree: Branch, name: Token, params: Branch) -> ast.Card:
        return ast.Card(span=self.span(tree), doc=self.doc(tree), name=self.leaf(name), attributes=self.all(params.children))

    def build_cards(self, tree: Branch, name: Token, zone: Token | None, header: Branch, *rows: Branch) -> ast.Cards:
        return ast.Cards(
            span=self.span(tree),
            doc=self.doc(tree),
            card=self.leaf(name),
            zone=self.build(zone),
            columns=self.all(header.children),
            rows=self.all(rows),
        )

    def build_row(self, tree: Branch, *children: Part) -> ast.Row:
        cells: list[ast.Expr] = []
        abilities: list[ast.Ability] = []
        binders = None
        for node in self.all(children):
            if isinstance(node, ast.Binders):
                binders = node
            elif isinstance(node, ast.TimedAbility | ast.StandingAbility):
                abilities.append(node)
            else:
                cells.append(node)
        return ast.Row(span=self.span(tree), cells=tuple(cells), binders=binders, abilities=tuple(abilities))

    def build_zone(
        self, tree: Branch, name: Token, indexes: Branch, sight: Branch, shape: Token, of: Token, by: Token | None
    ) -> ast.Zone:
        visibility = str(sight.children[0]) if sight.data == "visibility" else "top open"
        return ast.Zone(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.leaf(name),
            indexes=self.all(indexes.children),
            visibility=visibility,
            shape=str(shape),
            of=self.leaf(of),
            by=self.build(by),
        )

    def build_var_decl(self, tree: Branch, sight: Token | None, name: Token, indexes: Branch, type_: Part, value: Part) -> ast.Var:
        return ast.Var(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.leaf(name),
            indexes=self.all(indexes.children),
            visibility=None if sight is None else str(sight),
            type=self.build(type_),
            value=self.build(value),
        )

    def build_option(self, tree: Branch, name: Token, type_: Part, value: Part, range_: Part, text: Token | None) -> ast.Option:
        return ast.Option(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.leaf(name),
            type=self.build(type_),
            value=self.build(value),
            range=self.build(range_),
            text=self.build(text),
        )

    build_changed_option = build_option

    def build_dice(self, tree: Branch, name: Token, count: Part, faces: Part) -> ast.Dice:
        return ast.Dice(
            span=self.span(tree), doc=self.doc(tree), name=self.leaf(name), count=self.build(count), faces=self.build(faces)
        )

    def build_board(self, tree: Branch, name: Token, params: Branch | None, *parts: Branch | None) -> ast.Board:
        rows: tuple[ast.Text, ...] = ()
        columns: tuple[ast.Name, ...] = ()
        legend: tuple[ast.Row, ...] = ()
        blocked: ast.Text | None = None
        walls: ast.Text | None = None
        spaces: tuple[ast.Row, ...] = ()
        links: tuple[ast.Link, ...] = ()
        steps: list[ast.StepsPattern | ast.StepsAlong | ast.StepsRule] = []
        for part in parts:
            if part is None:
                continue
            match part.data:
                case "board_map":
                    rows = self.all(part.children)
                case "board_legend":
                    columns = self.all(cast(Branch, part.children[0]).children)
                    legend = self.all(part.children[1:])
                case "board_blocked":
                    blocked = self.build(part.children[0])
                case "board_walls":
                    walls = self.build(part.children[0])
                case "board_spaces":
                    columns = self.all(cast(Branch, part.children[0]).children)
                    spaces = self.all(part.children[1:])
                case "board_links":
                    links = self.all(part.children)
                case _:
                    steps.append(self.build(part))
        return ast.Board(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.leaf(name),
            attributes=() if params is None else self.all(params.children),
            rows=rows,
            columns=columns,
            legend=legend,
            blocked=blocked,
            walls=walls,
            spaces=spaces,
            links=links,
            steps=tuple(steps),
        )

    def build_legend_row(self, tree: Branch, *cells: Part) -> ast.Row:
        return ast.Row(span=self.span(tree), cells=self.all(cells))

    def build_steps_pattern(self, tree: Branch, pattern: Token) -> ast.StepsPattern:
        return ast.StepsPattern(span=self.span(tree), pattern=str(pattern))

    def build_steps_along(self, tree: Branch, signs: Token) -> ast.StepsAlong:
        return ast.StepsAlong(span=self.span(tree), signs=self.string(signs))

    def build_board_link(self, tree: Branch, start: Token, *ends: Token) -> ast.Link:
        return ast.Link(span=self.span(tree), start=self.leaf(start), ends=self.all(ends))

    def build_steps_rule(self, tree: Branch, start: Token, end: Token, where: Part) -> ast.StepsRule:
        return ast.StepsRule(span=self.span(tree), start=self.leaf(start), end=self.leaf(end), where=self.build(where))

    # ── values, rules, attachments ──

    def build_define(self, tree: Branch, name: Token, params: Branch, result: Part, value: Branch) -> ast.Define:
        return ast.Define(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.leaf(name),
            params=self.all(params.children),
            result=self.build(result),
            value=self.build(value),
        )

    def build_value(self, tree: Branch, *children: Part) -> ast.Value:
        lets: list[ast.Let] = []
        cases: list[ast.Case] = []
        plain = False
        for node in self.all(children):
            if isinstance(node, ast.Let):
                lets.append(node)
            elif isinstance(node, ast.Case):
                cases.append(node)
            else:
                plain = True
                cases.append(ast.Case(span=node.span, value=node, condition=None))
        parts = [*lets, *cases]
        return ast.Value(span=parts[0].span.to(parts[-1].span), lets=tuple(lets), cases=tuple(cases), plain=plain)

    def build_case_when(self, tree: Branch, value: Part, condition: Part) -> ast.Case:
        return ast.Case(span=self.span(tree), value=self.build(value), condition=self.build(condition))

    def build_case_otherwise(self, tree: Branch, value: Part) -> ast.Case:
        return ast.Case(span=self.span(tree), value=self.build(value), condition=None)

    def build_scoring(self, tree: Branch, param: Token, *lines: Branch) -> ast.Scoring:
        return ast.Scoring(span=self.span(tree), doc=self.doc(tree), param=self.leaf(param), lines=self.all(lines))

    def build_score_line(self, tree: Branch, label: Token, condition: Part, value: Branch) -> ast.ScoreLine:
        return ast.ScoreLine(
            span=self.span(tree), label=self.string(label), condition=self.build(condition), value=self.build(value)
        )

    def build_rule(self, tree: Branch, name: Token, params: Branch, result: Part, body: Branch | None = None) -> ast.Rule:
        return ast.Rule(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.leaf(name),
            params=self.all(params.children),
            result=self.build(result),
            body=self.build(body),
        )

    def attachment(self, tree: Branch, when: str, children: tuple[Part, ...]) -> ast.Attachment:
        head, where, text, done = [c for c in children if not (isinstance(c, Token) and c.type == "BEFORE")]
        outcome = self.build(done)
        return ast.Attachment(
            span=self.span(tree),
            doc=self.doc(tree),
            when=when,
            head=self.build(head),
            where=self.build(where),
            text=self.build(text),
            body=outcome if isinstance(outcome, ast.Block) else None,
            value=outcome if isinstance(outcome, ast.Value) else None,
        )

    def build_before(self, tree: Branch, *children: Part) -> ast.Attachment:
        return self.attachment(tree, "before", children)

    def build_after(self, tree: Branch, *children: Part) -> ast.Attachment:
        return self.attachment(tree, "after", children)

    def build_instead_do(self, tree: Branch, *children: Part) -> ast.Attachment:
        return self.attachment(tree, "instead", children)

    build_instead_value = build_instead_do

    def build_head(self, tree: Branch, name: Token, *patterns: Part) -> ast.Head:
        return ast.Head(span=self.span(tree), name=self.leaf(name), patterns=self.all(patterns))

    def build_timing(self, tree: Branch, name: Token, zones: Branch | None, owner: Part, moment: Branch) -> ast.Timing:
        when = moment.data.removesuffix("_head")
        head, where = [c for c in moment.children if not isinstance(c, Token)]
        return ast.Timing(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.leaf(name),
            zones=None if zones is None else self.all(zones.children),
            owner=self.build(owner),
            when=when,
            head=self.build(head),
            where=self.build(where),
        )

    def build_timed_ability(self, tree: Branch, timing: Token, text: Token, body: Branch) -> ast.TimedAbility:
        return ast.TimedAbility(span=self.span(tree), timing=self.leaf(timing), text=self.string(text), body=self.build(body))

    def build_always_ability(self, tree: Branch, text: Token, carried: Branch) -> ast.StandingAbility:
        return ast.StandingAbility(span=self.span(tree), zones=None, text=self.string(text), attachments=self.all(carried.children))

    def build_while_ability(self, tree: Branch, zones: Branch, text: Token, carried: Branch) -> ast.StandingAbility:
        return ast.StandingAbility(
            span=self.span(tree), zones=self.all(zones.children), text=self.string(text), attachments=self.all(carried.children)
        )

    def build_ending(self, tree: Branch, name: Token, after: Part, condition: Part, text: Token) -> ast.Ending:
        return ast.Ending(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.leaf(name),
            after=self.build(after),
            condition=self.build(condition),
            text=self.string(text),
        )

    def build_invariant(self, tree: Branch, text: Token, value: Branch) -> ast.Invariant:
        return ast.Invariant(span=self.span(tree), doc=self.doc(tree), text=self.string(text), value=self.build(value))

    def build_property_after(self, tree: Branch, text: Token, head: Branch, value: Branch) -> ast.GameProperty:
        return ast.GameProperty(
            span=self.span(tree),
            doc=self.doc(tree),
            text=self.string(text),
            after=self.build(head),
            how_often=None,
            value=self.build(value),
        )

    def build_property_(self, tree: Branch, text: Token, how_often: Token, value: Branch) -> ast.GameProperty:
        return ast.GameProperty(
            span=self.span(tree),
            doc=self.doc(tree),
            text=self.string(text),
            after=None,
            how_often=str(how_often),
            value=self.build(value),
        )

    # ── variation ──

    def build_when_block(self, tree: Branch, condition: Part, *items: Part) -> ast.WhenBlock:
        return ast.WhenBlock(span=self.span(tree), doc=self.doc(tree), condition=self.build(condition), items=self.all(items))

    def build_change(self, tree: Branch, item: Branch) -> ast.Change:
        return ast.Change(span=self.span(tree), doc=self.doc(tree), item=self.build(item))

    def build_remove(self, tree: Branch, what: Token, name: Token) -> ast.Remove:
        return ast.Remove(span=self.span(tree), doc=self.doc(tree), what=str(what), name=self.leaf(name))

    def removed_attachment(self, tree: Branch, when: str, parts: tuple[Part, ...]) -> ast.RemoveAttachment:
        head, where, text = [part for part in parts if not (isinstance(part, Token) and part.type == "BEFORE")]
        return ast.RemoveAttachment(
            span=self.span(tree),
            doc=self.doc(tree),
            when=when,
            head=self.build(head),
            where=self.build(where),
            text=self.build(text),
        )

    def build_remove_before(self, tree: Branch, *parts: Part) -> ast.RemoveAttachment:
        return self.removed_attachment(tree, "before", parts)

    def build_remove_after(self, tree: Branch, *parts: Part) -> ast.RemoveAttachment:
        return self.removed_attachment(tree, "after", parts)

    def build_remove_instead(self, tree: Branch, *parts: Part) -> ast.RemoveAttachment:
        return self.removed_attachment(tree, "instead", parts)

    def build_remove_ability(self, tree: Branch, text: Token, card: Token) -> ast.RemoveAbility:
        return ast.RemoveAbility(span=self.span(tree), doc=self.doc(tree), text=self.string(text), card=self.string(card))

    def build_changed_kind(self, tree: Branch, name: Token, *lines: Branch) -> ast.ChangedKind:
        members = tuple(self.build(member) for line in lines for member in line.children)
        return ast.ChangedKind(span=self.span(tree), doc=self.doc(tree), name=self.leaf(name), members=members)

    def build_preset(self, tree: Branch, name: Token, text: Token, *settings: Part) -> ast.Preset:
        return ast.Preset(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.string(name),
            text=self.string(text),
            settings=self.all([setting for setting in settings if setting is not None]),
        )

    def build_changed_preset(self, tree: Branch, name: Token, *parts: Part) -> ast.ChangedPreset:
        text = parts[0] if parts and isinstance(parts[0], Token) else None
        settings = parts[1:] if text is not None else parts
        return ast.ChangedPreset(
            span=self.span(tree),
            doc=self.doc(tree),
            name=self.string(name),
            text=None if text is None else self.string(text),
            settings=self.all([setting for setting in settings if setting is not None]),
        )

    def build_setting(self, tree: Branch, name: Token, value: Part) -> ast.Setting:
        return ast.Setting(span=self.span(tree), name=self.leaf(name), value=self.build(value))

    # ── statements ──

    def build_suite(self, tree: Branch, *statements: Part) -> ast.Block:
        built = self.all(statements)
        return ast.Block(span=built[0].span.to(built[-1].span), statements=built)

    def build_let(self, tree: Branch, *children: Part) -> ast.Let:
        if len(children) == 1:
            return cast(ast.Let, self.build(children[0]))
        name, value = children
        return ast.Let(span=self.span(tree), name=self.build(name), value=self.build(value))

    def build_local_var(self, tree: Branch, name: Token, type_: Part, value: Part) -> ast.LocalVar:
        return ast.LocalVar(span=self.span(tree), name=self.leaf(name), type=self.build(type_), value=self.build(value))

    def build_assign(self, tree: Branch, target: Part, op: Token, value: Part) -> ast.Assign:
        return ast.Assign(span=self.span(tree), target=self.build(target), op=str(op), value=self.build(value))

    def build_call_stmt(self, tree: Branch, call: Part) -> ast.CallStatement:
        return ast.CallStatement(span=self.span(tree), call=self.called(call))

    def called(self, call: Part) -> ast.Expr:
        """What stands where a rule is called."""
        built = cast(ast.Expr, self.build(call))
        if not isinstance(built, ast.Call | ast.Proceed):
            text = built.span.text
            hint = "a rule is called with brackets: `refill()`, `draw(p)`"
            label = f"did you mean `{text}()`?" if isinstance(built, ast.Name) else ""
            if text in ("break", "continue", "stop", "exit"):
                label, hint = "", "a loop goes on while its condition holds; `end turn` leaves the rule `turn` at once"
            self.report.error("CG0133", "a value alone does nothing", built.span, label, hint=hint)
        return built

    def build_move(self, tree: Branch, _: Token, cards: Part, to: Part) -> ast.Move:
        return ast.Move(span=self.span(tree), cards=self.build(cards), to=self.build(to), under=tree.data == "move_under")

    build_move_under = build_move

    def build_deal(self, tree: Branch, count: Part, source: Part, to: Part, binders: Part) -> ast.Deal:
        everything = isinstance(count, Token) and count.type == "ALL"
        return ast.Deal(
            span=self.span(tree),
            count=None if everything else self.build(count),
            source=self.build(source),
            to=self.build(to),
            binders=self.build(binders),
        )

    def build_verb(self, tree: Branch, verb: Token, operand: Part) -> ast.Verb:
        return ast.Verb(span=self.span(tree), verb=str(verb), operand=self.build(operand))

    def build_show(self, tree: Branch, cards: Part, to: Part) -> ast.Show:
        return ast.Show(span=self.span(tree), cards=self.build(cards), to=self.build(to))

    def build_return(self, tree: Branch, value: Part) -> ast.Return:
        return ast.Return(span=self.span(tree), value=self.build(value))

    def build_end(self, tree: Branch, rule: Token) -> ast.End:
        return ast.End(span=self.span(tree), rule=self.leaf(rule))

    def build_if(self, tree: Branch, *children: Part) -> ast.If:
        *pairs, last = children
        branches = tuple((self.build(pairs[n]), self.build(pairs[n + 1])) for n in range(0, len(pairs), 2))
        return ast.If(span=self.span(tree), branches=branches, otherwise=self.build(last))

    def build_otherwise(self, tree: Branch, suite: Branch) -> ast.Block:
        return cast(ast.Block, self.build(suite))

    def build_while(self, tree: Branch, condition: Part, body: Branch) -> ast.While:
        return ast.While(span=self.span(tree), condition=self.build(condition), body=self.build(body))

    def build_for(self, tree: Branch, binders: Branch, body: Branch) -> ast.For:
        return ast.For(span=self.span(tree), binders=self.build(binders), body=self.build(body))

    def build_repeat(self, tree: Branch, count: Part, body: Branch) -> ast.Repeat:
        return ast.Repeat(span=self.span(tree), count=self.build(count), body=self.build(body))

    # ── choices ──

    def build_chance(self, tree: Branch) -> ast.Chance:
        return ast.Chance(span=self.span(tree))

    def build_each(self, tree: Branch, range_: Branch) -> ast.Each:
        return ast.Each(span=self.span(tree), range=self.build(range_))

    def build_chooses(
        self, tree: Branch, subject: Part, prompt: Token | None, pick: Branch, body: Branch, other: Part
    ) -> ast.Choose:
        return ast.Choose(
            span=self.span(tree),
            subject=self.build(subject),
            optional=tree.data == "may_choose",
            prompt=self.build(prompt),
            what=self.build(pick),
            body=self.build(body),
            otherwise=self.build(other),
        )

    build_may_choose = build_chooses

    def build_chooses_menu(self, tree: Branch, subject: Part, prompt: Token | None, menu: Branch) -> ast.Choose:
        *children, other = menu.children
        lines = self.all(children)
        return ast.Choose(
            span=self.span(tree),
            subject=self.build(subject),
            optional=tree.data == "may_choose_menu",
            prompt=self.build(prompt),
            what=ast.Menu(span=lines[0].span.to(lines[-1].span), lines=lines),
            body=None,
            otherwise=self.build(other),
        )

    build_may_choose_menu = build_chooses_menu

    def build_may_do(self, tree: Branch, subject: Part, label: Token, body: Branch, other: Part) -> ast.MayDo:
        return ast.MayDo(
            span=self.span(tree),
            subject=self.build(subject),
            label=self.string(label),
            body=self.build(body),
            otherwise=self.build(other),
        )

    def build_pick(self, tree: Branch, binders: Branch) -> ast.Pick:
        return ast.Pick(span=self.span(tree), binders=self.build(binders))

    def build_pick_several(self, tree: Branch, count: Branch, name: Token, source: Part) -> ast.PickSeveral:
        least, most = count.children
        return ast.PickSeveral(
            span=self.span(tree), least=self.build(least), most=self.build(most), name=self.leaf(name), source=self.build(source)
        )

    def build_choice_line(self, tree: Branch, label: Token, binders: Part, body: Part = None) -> ast.MenuLine:
        return ast.MenuLine(span=self.span(tree), label=self.string(label), binders=self.build(binders), body=self.build(body))

    def build_choice_line_when(self, tree: Branch, label: Token, condition: Part, body: Part = None) -> ast.MenuLine:
        return ast.MenuLine(span=self.span(tree), label=self.string(label), condition=self.build(condition), body=self.build(body))

    # ── tests ──

    def build_test(self, tree: Branch, name: Token, cases: Part, *lines: Branch) -> ast.Test:
        return ast.Test(
            span=self.span(tree), doc=self.doc(tree), name=self.string(name), lines=self.all(lines), cases=self.build(cases)
        )

    def build_case_table(self, tree: Branch, header: Branch, *rows: Branch) -> ast.CaseTable:
        return ast.CaseTable(span=self.span(tree), columns=self.all(header.children), rows=self.all(rows))

    def build_test_define(self, tree: Branch, define: Branch) -> ast.Define:
        made: ast.Define = self.build(define)
        return evolve(made, span=self.span(tree), doc=self.doc(tree), for_tests=True)

    def build_test_rule(self, tree: Branch, rule: Branch) -> ast.Rule:
        made: ast.Rule = self.build(rule)
        return evolve(made, span=self.span(tree), doc=self.doc(tree), for_tests=True)

    def build_given_players(self, tree: Branch, count: Token) -> ast.GivenPlayers:
        return ast.GivenPlayers(span=self.span(tree), count=self.digits(count))

    def build_given_seed(self, tree: Branch, seed: Token) -> ast.GivenSeed:
        return ast.GivenSeed(span=self.span(tree), seed=self.digits(seed))

    def build_given_option(self, tree: Branch, name: Token, value: Part) -> ast.GivenOption:
        return ast.GivenOption(span=self.span(tree), name=self.leaf(name), value=self.build(value))

    def build_given_value(self, tree: Branch, target: Part, value: Part) -> ast.GivenValue:
        return ast.GivenValue(span=self.span(tree), target=self.build(target), value=self.build(value))

    def build_given_roll(self, tree: Branch, dice: Part, *values: Part) -> ast.GivenRoll:
        return ast.GivenRoll(span=self.span(tree), dice=self.build(dice), values=self.all(values))

    def build_given_chance(self, tree: Branch, *values: Part) -> ast.GivenChance:
        return ast.GivenChance(span=self.span(tree), values=self.all(values))

    def build_when_rule(self, tree: Branch, call: Part) -> ast.WhenRule:
        return ast.WhenRule(span=self.span(tree), call=self.called(call))

    def build_when_chooses(self, tree: Branch, player: Part, *values: Part) -> ast.WhenChooses:
        return ast.WhenChooses(span=self.span(tree), player=self.build(player), values=self.all(values))

    def build_when_declines(self, tree: Branch, player: Part) -> ast.WhenDeclines:
        return ast.WhenDeclines(span=self.span(tree), player=self.build(player))

    def build_expect(self, tree: Branch, condition: Part) -> ast.Expect:
        return ast.Expect(span=self.span(tree), condition=self.build(condition))

    def build_expect_among(self, tree: Branch, player: Part, options: Part) -> ast.ExpectAmong:
        return ast.ExpectAmong(span=self.span(tree), player=self.build(player), options=self.build(options))

    def build_expect_refused(self, tree: Branch, player: Part, value: Part, because: Token | None) -> ast.ExpectRefused:
        return ast.ExpectRefused(
            span=self.span(tree), player=self.build(player), value=self.build(value), because=self.build(because)
        )

    def build_expect_bound(self, tree: Branch, player: Part) -> ast.ExpectBound:
        return ast.ExpectBound(span=self.span(tree), player=self.build(player))

    def build_expect_seen(self, tree: Branch, player: Part, place: Part, value: Part) -> ast.ExpectSeen:
        return ast.ExpectSeen(span=self.span(tree), player=self.build(player), place=self.build(place), value=self.build(value))

    def build_expect_heard(self, tree: Branch, player: Part, words: Token) -> ast.ExpectHeard:
        return ast.ExpectHeard(span=self.span(tree), player=self.build(player), words=self.string(words), heard=True)

    def build_expect_unheard(self, tree: Branch, player: Part, words: Token) -> ast.ExpectHeard:
        return ast.ExpectHeard(span=self.span(tree), player=self.build(player), words=self.string(words), heard=False)
