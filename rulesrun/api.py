"""Games and matches from Python: the public interface. It is the referee's: it sees everything and may take back anything.

What a player may see comes from `Match.view`, `Match.log` and `Match.information`. Seats count from 0; in texts they are P1,
P2 and so on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, evolve, frozen

from dsl import ast, model, parse, pipeline
from dsl.diagnostics import Diagnostic, Report, RulesError
from dsl.fingerprint import fingerprint
from dsl.grammar import grammar
from dsl.source import Source
from dsl.types import KindType
from dsl.uses import Reader
from interpreter import decisions, play, views
from interpreter.decisions import Decision, Option
from interpreter.events import Event, and_list
from interpreter.faults import Fault
from interpreter.information import InformationState as Information
from interpreter.observer import Witness
from interpreter.state import State
from interpreter.story import Line, tell
from interpreter.views import View
from rulesrun.bots import Bot, make_bot, shared_stream
from rulesrun.locate import Library, cache_folder, header_words

if TYPE_CHECKING:
    from interpreter.why import Answer, Step

__all__ = ["Decision", "Game", "Information", "Match", "Option", "Result", "Taken", "View", "load"]

USUAL_PLAYERS = 4
STATES_KEPT_EVERY = 32
LONGEST_GAME = 200_000
"""decisions after which a playout gives up: the game does not end"""
TOO_LONG = "CG1018"
"""the fault that says so"""


@frozen
class Result:
    """How a game ended. `winners` are seats (several if they share it, none if nobody wins); `scores` by seat, None where the
    game keeps none; `reason` what the rules say about the end, None if they simply ran out."""

    winners: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: str | None


@frozen
class Taken:
    """A choice that was made: by which seat, the number of the option and its key."""

    player: int
    index: int
    key: str


@frozen
class Playout:
    """A game played to its end: the result and how many decisions it took. `result` None: it was given up."""

    result: Result | None
    decisions: int


def load(
    name: str | PathLike[str],
    *,
    variants: Iterable[str | PathLike[str]] = (),
    options: Mapping[str, object] | None = None,
    preset: str | None = None,
) -> Game:
    """A game from a file or among those shipped, with variants (the last named on top), a preset by its name, and options set, which
    count more than the preset.

    A variant's file may be named too: then it is its base that is loaded, with the variant. Raises `RulesError` with what is
    wrong with the rules, and `NotFound` if there is no such file."""
    library = Library()
    source = library.find_game(str(name))
    return load_source(source, library, [str(variant) for variant in variants], options or {}, preset)


def load_source(
    source: Source, library: Library, variants: Sequence[str], options: Mapping[str, object], preset: str | None = None,
    reader: Reader | None = None,
) -> Game:  # fmt: skip
    """As `load`, from a source that has been read. `reader` keeps the syntax trees for the next time; all findings are in its report
    then."""
    grammar(cache_folder())
    base, own = base_of(source, library)
    sources = own + [library.find_variant(base, variant) for variant in variants]
    report = Report() if reader is None else reader.report
    rules = pipeline.load(base, library, sources, dict(options), report, preset, reader)
    return Game(rules, play.Rules(rules), base, tuple(report), tuple(sources), library.paths)


def base_of(source: Source, library: Library) -> tuple[Source, list[Source]]:
    """The file of the game, and the variant if that is what the source is. Raises `RulesError`."""
    if header_words(source.text)[:1] not in (["variant"], ["tests"]):
        return source, []
    report = Report()
    file = parse.read(source, report)
    report.raise_errors()
    if file is None or not isinstance(file.header, ast.VariantHeader | ast.TestsHeader):
        return source, []
    name = file.header.base
    base = library.game(name.id, source)
    if base is None:
        raise RulesError(
            [Diagnostic("CG0602", f"there is no game `{name.id}`", name.span, "not found beside this file or among those shipped")]
        )
    return base, [source]


@frozen(eq=False, repr=False)
class Game:
    """Checked rules with their options fixed. Nothing changes it; any number of matches share it."""

    rules: model.Game
    compiled: play.Rules
    source: Source
    findings: tuple[Diagnostic, ...] = ()
    """warnings about the rules"""
    variant_sources: tuple[Source, ...] = ()
    paths: tuple[Path, ...] = ()
    """all files that its rules were read from"""
    _fingerprints: list[str] = Factory(list)
    _tested: list[Game] = Factory(list)

    def __repr__(self) -> str:
        """`<dread_draw with brutal>`"""
        varied = f" with {', '.join(source.id for source in self.variant_sources)}" if self.variant_sources else ""
        return f"<{self.id}{varied}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """For IPython and Hypothesis, which would print everything that is in it."""
        printer.text(repr(self))

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def id(self) -> str:
        return self.rules.id

    @property
    def players(self) -> tuple[int, ...]:
        """For how many it is."""
        return self.rules.players

    @property
    def variants(self) -> tuple[str, ...]:
        return self.rules.variants

    @property
    def title(self) -> str:
        """Its name, and those of its variants, as people read them: `Old Game with New Twist and Another`."""
        names = [_title_of(source) for source in self.variant_sources]
        return self.name if not names else f"{self.name} with {and_list(names)}"

    @property
    def options(self) -> dict[str, object]:
        """The options in force: flags, numbers, and members of kinds by their names."""
        shown = {option.name: option_text(self.rules, option) for option in self.rules.options}
        return {o.name: o.value if isinstance(o.value, bool) else shown[o.name] for o in self.rules.options}

    @property
    def fingerprint(self) -> str:
        """Equal for equal rules, another after any change of them; remarks, layout and tests do not count."""
        if not self._fingerprints:
            self._fingerprints.append(fingerprint(self.rules))
        return self._fingerprints[0]

    @property
    def for_tests(self) -> Game:
        """The same game with what belongs to testing: its matches can be judged by the invariants and properties of its file."""
        if not self._tested:
            compiled = self.compiled.for_tests
            self._tested.append(evolve(self, rules=compiled.game, compiled=compiled, fingerprints=self._fingerprints, tested=[]))
        return self._tested[0]

    @property
    def usual_players(self) -> int:
        """For how many it is started if nobody says."""
        return max((n for n in self.players if n <= USUAL_PLAYERS), default=min(self.players))

    def check_players(self, players: int | None) -> int:
        """Raises `ValueError` for a number it is not for."""
        if players is None:
            return self.usual_players
        if players not in self.players:
            raise ValueError(f"{self.name} is for {counts_text(self.players)} players, not {players}")
        return players

    def start(self, players: int | None = None, seed: int | None = None, chance: Sequence[Any] | None = None) -> Match:
        """A new match. Without a seed one is chosen. `chance` says what the next events of chance bring, in order; what comes
        between, and after them, the seed decides:

            ("shuffle", ["Grave Rat", …])   the cards on top after the shuffle, the first one on top
            ("roll", "pair", [4, 4])        the numbers of these dice
            ("pick", "P2")                  what chance picks: the value, its text, or the card's name

        Raises `ValueError` for a wrong number of players or such an event that makes no sense, `Fault`."""
        script = script_of(self.rules, chance or ())
        return Match(self, self.check_players(players), new_seed() if seed is None else seed, script or None)

    def playout(self, players: int | None = None, seed: int | None = None, bots: Sequence[Bot | str] | None = None) -> Playout:
        """A game played by bots (random ones if none are named) to the end, without a log, as fast as it goes."""
        players = self.check_players(players)
        seed = new_seed() if seed is None else seed
        if bots is None or all(bot == "random" for bot in bots):
            return self._random_playout(players, seed)
        if len(bots) not in (1, players):
            raise ValueError(f"{players} players, but {len(bots)} bots: name one for all, or one for each")
        named = [bots[seat % len(bots)] for seat in range(players)]
        seated = [make_bot(bot, seed, seat) if isinstance(bot, str) else bot for seat, bot in enumerate(named)]
        match = self.start(players, seed)
        while (decision := match.decision) is not None and len(match.choices) < LONGEST_GAME:
            seat = decision.player
            match.choose(seated[seat].choose(decision, lambda seat=seat: match.information(seat)))  # type: ignore[misc]
        return Playout(match.result if match.finished else None, len(match.choices))

    def _random_playout(self, players: int, seed: int) -> Playout:
        state = play.start(self.compiled.code(players, False), seed)
        try:
            made = play.play_out(state, [shared_stream(seed).random] * players, LONGEST_GAME)
        except Fault as fault:
            fault.seed = seed
            if fault.code == TOO_LONG:
                return Playout(None, LONGEST_GAME)
            raise
        return Playout(result_of(state), made)


@define(eq=False, repr=False)
class Match:
    """One game being played. Without views or a log it plays at full speed; when one is first asked for, the match is played
    again from its seed and choices with somebody watching, and watched from then on."""

    game: Game
    players: int
    seed: int
    chance: tuple[Any, ...] | None = None
    choices: list[int] = Factory(list)
    """the options taken so far, by their numbers"""
    _state: State = None  # type: ignore[assignment]
    _witness: Witness | None = None
    _kept: list[tuple[int, State, Witness | None]] = Factory(list)
    """states to go back to: after so many choices"""
    _decision: Decision | None = None
    _taken: list[Taken | None] = Factory(list)
    """the choices as `history` tells them, as far as they are known"""
    _undone: list[int] = Factory(list)
    """what can be done again, the next one last"""

    def __attrs_post_init__(self) -> None:
        if self._state is None:
            self._begin(watched=False)

    def __repr__(self) -> str:
        """What leads here: `<dread_draw, 3 players, seed 7, choices [0, 2, 0]>`"""
        chance = f", chance {list(self.chance)}" if self.chance else ""
        return f"{repr(self.game)[:-1]}, {self.players} players, seed {self.seed}{chance}, choices {self.choices}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """For IPython and Hypothesis, which would print everything that is in it."""
        printer.text(repr(self))

    # ── moving on ──

    @property
    def finished(self) -> bool:
        return self._state.options is None

    @property
    def player(self) -> int | None:
        """The seat that is asked, None when the game is over."""
        return None if self._state.options is None else self._state.asked

    @property
    def option_count(self) -> int:
        """How many options the decision has: cheaper than `decision`, which makes their texts."""
        return 0 if self._state.options is None else len(self._state.options)

    @property
    def decision(self) -> Decision | None:
        """Who is asked what, with the options; None when the game is over."""
        if self._decision is None and self._state.options is not None:
            self.watch()
            self._decision = decisions.decision(self._state)
        return self._decision

    def choose(self, answer: Option | int | str) -> None:
        """Take an option: the option itself, its number or its key. Raises `ValueError` if there is no such option, and `Fault` if
        the rules cannot go on; the match then stays where it was."""
        index = self._index(answer)
        self._keep()
        try:
            play.choose(self._state, index)
        except Fault as fault:
            fault.seed, fault.choices = self.seed, (*self.choices, index)
            self._go_to(self.choices)
            raise
        decision = self._decision
        self._taken.append(None if decision is None else Taken(decision.player, index, decision.options[index].key))
        self.choices.append(index)
        self._undone.clear()
        self._decision = None

    def _index(self, answer: Option | int | str) -> int:
        count = self.option_count
        if not count:
            raise ValueError("the game is over: there is nothing to choose")
        if isinstance(answer, Option):
            decision = self.decision
            assert decision is not None
            if answer.index >= count or decision.options[answer.index] != answer:
                raise ValueError(f"`{answer.text}` is not among the options now")
            return answer.index
        if isinstance(answer, str):
            decision = self.decision
            assert decision is not None
            for option in decision.options:
                if option.key == answer:
                    return option.index
            raise ValueError(f"no option has the key `{answer}`")
        if not 0 <= answer < count:
            raise ValueError(f"there are {count} options, numbered from 0: there is no option {answer}")
        return int(answer)

    def undo(self, count: int = 1) -> None:
        """Take back choices. Raises `ValueError` if there are not so many."""
        if not 0 <= count <= len(self.choices):
            raise ValueError(f"only {len(self.choices)} choices have been made")
        kept = len(self.choices) - count
        self._undone += reversed(self.choices[kept:])
        self._taken = self._taken[:kept]
        self._go_to(self.choices[:kept])

    def redo(self, count: int = 1) -> None:
        """Make choices again that were taken back. Raises `ValueError` if there are not so many: `choose` forgets them."""
        if not 0 <= count <= len(self._undone):
            raise ValueError(f"only {len(self._undone)} choices have been taken back")
        for _ in range(count):
            again = self._undone[:-1]
            self.choose(self._undone[-1])
            self._undone = again

    def copy(self) -> Match:
        """An independent match in the same state."""
        state = self._state.copy()
        witness = None
        if self._witness is not None:
            witness = state.observer = self._witness.copy(state)
        return Match(
            self.game, self.players, self.seed, self.chance, self.choices[:], state, witness, self._kept[:], self._decision,
            self._taken[:], self._undone[:],
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        """The same position: cards, variables, whose decision, who knows what, and what chance brings next."""
        if not isinstance(other, Match):
            return NotImplemented
        if self._witness is not None or other._witness is not None:
            self.watch()
            other.watch()
        same = self.game is other.game or self.game.fingerprint == other.game.fingerprint
        return same and self._state.canonical() == other._state.canonical()

    __hash__ = None  # type: ignore[assignment]

    # ── looking ──

    @property
    def state(self) -> State:
        """The running game itself, with everything hidden in it. Not to be changed."""
        return self._state

    @property
    def result(self) -> Result | None:
        """None while the game runs."""
        return result_of(self._state) if self.finished else None

    def view(self, player: int | None) -> View:
        """What a seat sees, or with None somebody who only watches."""
        self.watch()
        return views.view(self._state, self._seat(player))

    def log(self, player: int | None) -> tuple[Line, ...]:
        """What has happened, told to a seat, or with None to somebody who only watches: a line for each choice, see
        `interpreter/story.py`."""
        self._seat(player)
        return tuple(tell(self._state.code.program, self.events, player))

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened, hidden or not. An event knows what each viewer may be told of it."""
        self.watch()
        assert self._witness is not None
        return tuple(self._witness.log)

    @property
    def history(self) -> tuple[Taken, ...]:
        """The choices made so far: who took which option."""
        missing = [number for number, taken in enumerate(self._taken) if taken is None]
        if missing:
            self.watch()
            self._retrace(missing[0], missing[-1])
        return tuple(taken for taken in self._taken if taken is not None)

    def why(self) -> tuple[Step, ...]:
        """How it came to the open decision: the rules and abilities that run, outermost first."""
        from interpreter.why import why

        return why(self._state)

    def why_not(self, wanted: str) -> Answer:
        """Why whoever is asked cannot choose this now: a card, a label, or how it begins. Tells no more than he may know."""
        from interpreter.why import why_not

        self.watch()
        return why_not(self.game.compiled, self._state, wanted)

    def information(self, player: int) -> Information:
        """What a seat knows, in a form bots can work with: it can deal the unseen cards anew."""
        self.watch()
        return Information(self._state, self._seat(player) or 0)

    def _seat(self, player: int | None) -> int | None:
        if player is not None and not 0 <= player < self.players:
            raise ValueError(f"there is no seat {player}: seats are 0 to {self.players - 1}")
        return player

    # ── files ──

    def save(self, path: str | PathLike[str], *, seats: Sequence[str | None] | None = None) -> None:
        """Write a file from which `rulesrun.resume` goes on. `seats`: who plays them, a bot's name or None for a person.

        Raises `SaveError`; what was at this place before is then still there."""
        from rulesrun.saves import save_match

        save_match(self, path, seats)

    # ── how it is kept ──

    def _begin(self, *, watched: bool) -> None:
        code = self.game.compiled.code(self.players, watched)
        self._witness = Witness.of(code.program) if watched else None
        script = deque(self.chance) if self.chance else None
        self._kept = []
        self._decision = None
        try:
            self._state = play.start(code, self.seed, script=script, observer=self._witness)
        except Fault as fault:
            fault.seed = self.seed
            raise

    def watch(self) -> None:
        """Have somebody watch from now on: views, the log, and rules of tests that ask who knows what, need it."""
        if self._witness is None:
            self._begin(watched=True)
            self._play(self.choices)

    def _play(self, choices: Sequence[int]) -> None:
        done = self.choices
        self.choices = done[: len(done) - len(choices)]
        for index in choices:
            self._keep()
            play.choose(self._state, index)
            self.choices.append(index)

    def _retrace(self, first: int, last: int) -> None:
        """Find out who chose what in these choices, by playing them again."""
        made, state, witness = next(kept for kept in reversed(self._kept) if kept[0] <= first)
        state, _ = self._copies(state, witness)
        for number in range(made, last + 1):
            index = self.choices[number]
            if self._taken[number] is None:
                decision = decisions.decision(state)
                assert decision is not None
                self._taken[number] = Taken(decision.player, index, decision.options[index].key)
            play.choose(state, index)

    def _keep(self) -> None:
        made = len(self.choices)
        if made % STATES_KEPT_EVERY == 0 and (not self._kept or self._kept[-1][0] < made):
            self._kept.append((made, *self._copies(self._state, self._witness)))

    def _go_to(self, choices: Sequence[int]) -> None:
        """Back to where these choices had been made; they are the beginning of those made since."""
        self._kept = [kept for kept in self._kept if kept[0] <= len(choices)]
        made, state, witness = self._kept[-1]
        self._state, self._witness = self._copies(state, witness)
        self._decision = None
        self.choices = list(choices)
        self._play(choices[made:])

    @staticmethod
    def _copies(state: State, witness: Witness | None) -> tuple[State, Witness | None]:
        copied = state.copy()
        watching = None if witness is None else witness.copy(copied)
        copied.observer = watching
        return copied, watching


def script_of(rules: model.Game, chance: Sequence[Any]) -> tuple[tuple[str, Any], ...]:
    """What chance is to bring, as the interpreter wants it. Raises `ValueError`."""
    dice = {dice.name: number for number, dice in enumerate(rules.dice)}
    script: list[tuple[str, Any]] = []
    for event in chance:
        match tuple(event):
            case ("shuffle", names) if not isinstance(names, str):
                script.append(("shuffle", tuple(names)))
            case ("roll", str(name), values) if name in dice and len(values) == rules.dice[dice[name]].count:
                script.append((f"roll {dice[name]}", tuple(values)))
            case ("pick", value):
                script.append(("pick", value))
            case _:
                raise ValueError(f"{event!r} is nothing that chance can bring in {rules.name}")
    return tuple(script)


def _title_of(source: Source) -> str:
    """What the first line of a file calls it."""
    file = parse.read(source, Report())
    return source.id if file is None else title_of(file)


def title_of(file: ast.File) -> str:
    """What people call a file: the name in its first line."""
    if isinstance(file.header, ast.TestsHeader):
        return f"tests of {file.header.base.id}"
    return file.header.name.plain or file.source.id


def result_of(state: State) -> Result:
    """Of a finished game."""
    scores = play.scores(state)
    reason = state.code.program.endings[state.reason].text if state.reason >= 0 else None
    return Result(tuple(play.winners(state)), None if scores is None else tuple(scores), reason or None)


def option_text(rules: model.Game, option: model.Option) -> object:
    """An option's value as one writes it: a kind's member by its name, a flag as yes or no."""
    if isinstance(option.value, bool):
        return "yes" if option.value else "no"
    if isinstance(option.type, KindType) and isinstance(option.value, int):
        kind = next(kind for kind in rules.kinds if kind.id == option.type.id)
        return kind.members[option.value][0]
    return option.value


def counts_text(counts: Sequence[int]) -> str:
    """`2–4`, `2, 4 or 6`, `3`."""
    if len(counts) > 2 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}–{counts[-1]}"
    if len(counts) < 2:
        return "".join(map(str, counts))
    return f"{', '.join(map(str, counts[:-1]))} or {counts[-1]}"


def new_seed() -> int:
    """A seed for somebody who named none: short, so that one can type it again."""
    return SystemRandom().randrange(1, 1_000_000)
