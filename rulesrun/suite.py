"""What must be true of every game, whatever its rules: checks over any game file, free for its author.

`check_game` runs them all. Each plays random games and raises `Broken` with what leads to the place again.

    ends           random play comes to an end, and there are winners who sit at the table
    invariants     those of the file hold wherever somebody is asked, and at the end
    legal          what is listed is accepted, what is not is refused and changes nothing
    conservation   every card is in exactly one place
    secrets        dealing anew what a player may not know changes nothing that he is shown
    taking back    undo after choose is as if nothing had been
    copies         a copy and the original go their own ways
    replay         the seed and the choices bring the same game, watched or not
    saves          a game that was saved and resumed goes on as if it had not been

The functions that begin with `check_` look at one match where it stands, and leave it so: a state machine asks them anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from random import Random

from interpreter import decisions, views
from interpreter.canonical import Names
from interpreter.judging import Judge
from interpreter.observer import Witness
from interpreter.state import State
from rulesrun import saves
from rulesrun.api import LONGEST_GAME, Game, Match, load
from rulesrun.bots import stream

MOST_SAVED = 100
"""choices after which a game is saved at the latest, and choices played after that"""
COSTLY = 40
"""places in a long game at which the costly checks are made; in short ones it is every seventh decision"""
EVERY = 7


class Broken(AssertionError):
    """A property does not hold. `choices` from `seed` with so many players lead to the place; `match` stands there."""

    def __init__(self, what: str, match: Match) -> None:
        self.what = what
        self.match = match
        self.players = match.players
        self.seed = match.seed
        self.choices = tuple(match.choices)
        super().__init__(f"{match.game.id}, {match.players} players, seed {match.seed}, after {len(self.choices)} choices: {what}")
        self.add_note(f"choices {list(self.choices)}")


def check_game(
    game: Game | str | PathLike[str],
    *,
    players: int | Iterable[int] | None = None,
    seeds: Iterable[int] = (1,),
    every: int | None = None,
) -> None:
    """What must be true of every game is true of this one: all of `CHECKS`, for each number of players and each seed.

    `game` may be a path or a name, as for `load`. `players` is a number or several; None means all it is for. The costly checks are made at every
    so many decisions; without `every` at some forty places of a long game. Raises `Broken` with the seed and the choices that lead there, `Fault` if the
    rules cannot go on, `ValueError` for a wrong number of players, and what `load` raises."""
    game = game if isinstance(game, Game) else load(game)
    for count in player_counts(game, players):
        for seed in seeds:
            for name in CHECKS:
                run_check(name, game, count, seed, every)


def player_counts(game: Game, players: int | Iterable[int] | None) -> tuple[int, ...]:
    """The numbers of players meant, the fewest first. Raises `ValueError` for one the game is not for, and if there is none."""
    if players is None:
        return game.players
    counts = (players,) if isinstance(players, int) else tuple(sorted(set(players)))
    if not counts:
        raise ValueError("name at least one number of players")
    for count in counts:
        game.check_players(count)
    return counts


def run_check(name: str, game: Game, players: int, seed: int, every: int | None = None) -> None:
    """One of `CHECKS`, by its name."""
    if name not in SAMPLED:
        CHECKS[name](game, players, seed)
        return
    if every is None:
        every = max(EVERY, game.playout(players, seed).decisions // COSTLY)
    CHECKS[name](game, players, seed, every)


def random_game(game: Game, players: int, seed: int) -> Iterator[Match]:
    """A random game, met at its start and after every choice. Raises `Broken` if it does not end."""
    match = game.start(players, seed)
    bots = [stream(seed, seat) for seat in range(players)]
    yield match
    while not match.finished:
        if len(match.choices) >= LONGEST_GAME:
            raise Broken(f"the game has not ended after {LONGEST_GAME} decisions", match)
        assert match.player is not None
        match.choose(int(bots[match.player].random() * match.option_count))
        yield match


def some(game: Game, players: int, seed: int, every: int) -> Iterator[Match]:
    """The decisions of a random game, every so many of them."""
    for match in random_game(game, players, seed):
        if not match.finished and len(match.choices) % every == seed % every:
            yield match


def random_play_ends(game: Game, players: int, seed: int) -> Match:
    """Random play comes to an end, and whoever wins is one of those who sat down. Returns the finished match."""
    for match in random_game(game, players, seed):
        last = match
    check_result(last)
    return last


def check_result(match: Match) -> None:
    """Of a finished game. Raises `Broken`."""
    result, players = match.result, match.players
    if result is None:
        raise Broken("the game is over and has no result", match)
    if any(not 0 <= seat < players for seat in result.winners):
        raise Broken(f"the winners {result.winners} are not all at the table", match)
    if result.scores is not None and len(result.scores) != players:
        raise Broken(f"{len(result.scores)} scores for {players} players", match)


def checked_game(game: Game, players: int, seed: int) -> Match:
    """The checks that cost little, all in one random game: it ends, no card is lost, invariants and properties hold. Returns the finished
    match."""
    faces: list[int] | None = None
    judge = Judge(game.for_tests.compiled)
    for match in random_game(game.for_tests, players, seed):
        faces = check_cards(match, faces)
        judged(match, judge)
        last = match
    check_result(last)
    return last


def invariants_hold(game: Game, players: int, seed: int) -> None:
    """The invariants and properties of the file hold at the start, after every choice, and at the end."""
    if game.rules.invariants or game.rules.properties:
        judge = Judge(game.for_tests.compiled)
        for match in random_game(game.for_tests, players, seed):
            judged(match, judge)


def check_invariants(match: Match) -> None:
    """What can be judged at this moment holds. Raises `Broken`, and `Fault` if an invariant cannot be worked out."""
    rules = match.game.for_tests.compiled
    if not match.game.rules.tested:
        choices = match.choices
        match = match.game.for_tests.start(match.players, match.seed, match.chance)
        for index in choices:
            match.choose(index)
    judged(match, Judge.of_a_moment(rules))


def judged(match: Match, judge: Judge) -> None:
    if judge.watches:
        match.watch()
    broken = judge.look(match.state, len(match.choices))
    if broken is not None:
        raise Broken(f'the {broken.sort} "{broken.text}" does not hold', match)


def options_are_legal(game: Game, players: int, seed: int, every: int = 1) -> None:
    """Every listed option is accepted, alike by number, key and itself; keys are unique; anything else is refused."""
    for match in some(game, players, seed, every):
        check_options(match)


def check_options(match: Match) -> None:
    """For the open decision. Raises `Broken`."""
    decision = match.decision
    assert decision is not None
    keys = [option.key for option in decision.options]
    if len(set(keys)) != len(keys):
        raise Broken(f"two options have one key: {keys}", match)
    for option in decision.options:
        by_number = match.copy()
        by_number.choose(option.index)
        for answer in (option, option.key):
            other = match.copy()
            other.choose(answer)
            if other != by_number:
                raise Broken(f"the option {option.text!r} does one thing by number and another by {answer!r}", match)
    before = match.copy()
    for wrong in (-1, len(keys), len(keys) + 7, "no such option, surely"):
        try:
            match.choose(wrong)
        except ValueError:
            continue
        raise Broken(f"{wrong!r} was accepted though it is not listed", match)
    if match != before or match.decision != decision:
        raise Broken("an answer that was refused has changed the game", match)


def misplaced(state: State) -> str | None:
    """What is wrong with where the cards are, None if nothing."""
    met: dict[int, int] = {}
    for zone, cards in enumerate(state.zones):
        for card in cards:
            if card in met:
                return f"card {card} is in two places: zones {met[card]} and {zone}"
            met[card] = zone
            if state.where[card] != zone:
                return f"card {card} is in zone {zone}, but is said to be in {state.where[card]}"
    for card in range(len(state.where)):
        if state.where[card] >= 0 and card not in met:
            return f"card {card} is said to be in zone {state.where[card]}, but is not there"
    return None


def cards_are_conserved(game: Game, players: int, seed: int) -> None:
    """No card appears, disappears, or changes its face."""
    whole: list[int] | None = None
    for match in random_game(game, players, seed):
        whole = check_cards(match, whole)


def check_cards(match: Match, whole: list[int] | None = None) -> list[int]:
    """Every card is in one place; `whole` are the faces there were. Returns those there are, sorted. Raises `Broken`."""
    wrong = misplaced(match.state)
    if wrong is not None:
        raise Broken(wrong, match)
    faces = sorted(match.state.faces)
    if whole is not None and faces != whole:
        raise Broken("the faces of the cards are not those of the beginning", match)
    return faces


def secrets_are_kept(game: Game, players: int, seed: int, every: int = 1) -> None:
    """For every seat: deal anew what it may not know, and it is shown the same."""
    random = Random(f"{seed}/secrets")
    for match in some(game, players, seed, every):
        for seat in range(players):
            check_secrets(match, seat, random)


def check_secrets(match: Match, seat: int, random: Random) -> None:
    """For the open decision and one seat. Raises `Broken`."""
    match.view(None)  # somebody watches from here on
    check_shown_alike(match, match.information(seat).sample(random), seat)


def check_shown_alike(match: Match, sampled: State, seat: int) -> None:
    """Everything a seat is shown is equal in the true state and in another that it must think possible."""
    true = match.state
    witness = true.observer
    assert isinstance(witness, Witness)
    sampled.observer = witness.copy(sampled)
    wrong = misplaced(sampled)
    if wrong is not None:
        raise Broken(f"a sample for P{seat + 1} is impossible: {wrong}", match)
    if sorted(sampled.faces) != sorted(true.faces):
        raise Broken(f"a sample for P{seat + 1} is made of other cards", match)
    before, after = views.view(true, seat), views.view(sampled, seat)
    if before != after:
        raise Broken(f"the view of P{seat + 1} tells what he may not know: {difference(before, after)}", match)
    if true.asked == seat:
        asked, again = decisions.decision(true), decisions.decision(sampled)
        if asked != again:
            raise Broken(f"what P{seat + 1} is asked tells what he may not know: {asked} / {again}", match)
    if witness.knowledge != sampled.observer.knowledge and witness.knowledge.known[seat] != sampled.observer.knowledge.known[seat]:
        raise Broken(f"P{seat + 1} knows other cards in the sample", match)


def difference(before: views.View, after: views.View) -> str:
    """The first thing in which two views differ."""
    for one, other in zip(before.zones, after.zones, strict=True):
        if one != other:
            return f"{one.name}: {one.cards} / {other.cards}"
    for mine, theirs in zip(before.variables, after.variables, strict=True):
        if mine != theirs:
            return f"{mine.name}: {mine.text} / {theirs.text}"
    if before.pending != after.pending:
        return f"{before.pending} / {after.pending}"
    return f"{before.scores} / {after.scores}"


def undo_takes_back(game: Game, players: int, seed: int, every: int = 1) -> None:
    """After a choice is taken back everything is as before: state, options, what everybody sees and has been told."""
    for match in some(game, players, seed, every):
        for index in {0, match.option_count - 1}:
            check_undo(match, index)


def check_undo(match: Match, index: int) -> None:
    """For this option of the open decision. Raises `Broken`."""
    before = match.copy()
    shown = shown_to_all(match)
    match.choose(index)
    match.undo()
    if match != before:
        raise Broken(f"taking back option {index} leaves another state", match)
    if shown_to_all(match) != shown:
        raise Broken(f"taking back option {index} leaves something else to be seen", match)


def shown_to_all(match: Match) -> object:
    return match.decision, [match.view(seat) for seat in (None, *range(match.players))], match.events


def copies_are_independent(game: Game, players: int, seed: int, every: int = 1) -> None:
    """A copy is equal; what happens to one does not touch the other; the same choices lead both to the same place."""
    for match in some(game, players, seed, every):
        check_copy(match)


def check_copy(match: Match) -> None:
    """Where the match stands. Raises `Broken`."""
    copy, second = match.copy(), match.copy()
    if copy != match or copy.decision != match.decision:
        raise Broken("a copy is not equal", match)
    for _ in range(3):
        if not copy.finished:
            copy.choose(0)
    if second != match:
        raise Broken("playing a copy has changed the original", match)
    for index in copy.choices[len(match.choices) :]:
        second.choose(index)
    if second != copy:
        raise Broken("two copies with the same choices are not equal", match)


def replay_is_equal(game: Game, players: int, seed: int) -> None:
    """The seed and the choices bring the same game again; watched and unwatched play are the same."""
    quick = random_play_ends(game, players, seed)
    watched = game.start(players, seed)
    plain = game.start(players, seed)
    watched.view(None)
    for index in quick.choices:
        if position(watched.state) != position(plain.state):
            raise Broken("watched play differs from unwatched play", watched)
        watched.choose(index)
        plain.choose(index)
    if position(plain.state) != position(quick.state) or watched.result != quick.result:
        raise Broken("the same choices bring another end", quick)
    if quick != watched or quick.log(None) != watched.log(None):
        raise Broken("the same choices bring another story", quick)


def saves_resume(game: Game, players: int, seed: int) -> None:
    """Saved and resumed somewhere in the middle, a game is the same, is asked the same, and goes on in the same way."""
    whole = random_play_ends(game, players, seed).choices
    place = min(len(whole) * 2 // 3, MOST_SAVED)
    match = game.start(players, seed)
    for index in whole[:place]:
        match.choose(index)
    resumed = check_save(match)
    for index in whole[place : place + MOST_SAVED]:
        match.choose(index)
        resumed.choose(index)
    if resumed != match or resumed.log(None) != match.log(None):
        raise Broken("a game that was saved and resumed goes on differently", match)


def check_save(match: Match) -> Match:
    """Where the match stands: written, read and resumed, it is the same. Returns it resumed. Raises `Broken`."""
    data = saves.text_of(saves.save_of(match)).encode("utf-8")
    try:
        resumed = saves.replay(saves.parse(data, "the save"), match.game).match
    except saves.SaveError as problem:
        raise Broken(str(problem), match) from None
    if resumed != match or resumed.decision != match.decision or resumed.history != match.history:
        raise Broken("a game that was saved and resumed is not the same", match)
    return resumed


def position(state: State) -> object:
    """Everything that play can depend on, cards by their designs, but for the places in the code; and what is offered."""
    names = Names(state)
    program = state.code.program
    return (
        [[state.faces[card] for card in cards] for cards in state.zones],
        [names.value(info.type, value) for info, value in zip(program.variables, state.vars, strict=True)],
        state.live, state.rng, state.phase, state.reason, state.asked, state.site,
        [state.code.texts.plain_label(state, state.site, value) for value in state.options or ()],
    )  # fmt: skip


CHECKS: dict[str, Callable[..., object]] = {
    "random play ends": random_play_ends,
    "invariants hold": invariants_hold,
    "options are legal": options_are_legal,
    "cards are conserved": cards_are_conserved,
    "secrets are kept": secrets_are_kept,
    "undo takes back": undo_takes_back,
    "copies are independent": copies_are_independent,
    "replay is equal": replay_is_equal,
    "saves resume": saves_resume,
}

SAMPLED = frozenset(("options are legal", "secrets are kept", "undo takes back", "copies are independent"))
"""those that are made at every so many decisions only, and take that number"""
