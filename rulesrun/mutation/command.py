"""`rulesrun mutate`: its options. What it does is in `trying`, imported when it runs."""

from __future__ import annotations

import click


@click.command(short_help="Change the rules in one place at a time: do the tests notice?")
@click.argument("file", metavar="GAME", required=False)
@click.option("--only", metavar="RULE", help="Only in the rule, define or ability whose name begins so.")
@click.option("--operator", "operators", multiple=True, metavar="NAME", help="Only changes of this kind (may be given again).")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only so many, at random.")
@click.option("--tests-only", is_flag=True, help="No random games on what the tests do not notice.")
@click.option(
    "--games", type=click.IntRange(0), default=3, metavar="N", help="Random games on what the tests do not notice (default 3)."
)
@click.option("--seed", type=int, metavar="S", help="Where the random games start.")
@click.option("--jobs", type=click.IntRange(1), default=1, metavar="N", help="On so many processors (default 1).")
@click.option("--recheck", is_flag=True, help="Try those that are listed as changing nothing, too.")
@click.option(
    "--min-score", "least", type=click.FloatRange(0, 100), metavar="PERCENT", help="Fail if fewer of those not listed are noticed."
)
@click.option("--list", "listing", is_flag=True, help="Only list what would be changed.")
@click.option("--kinds", "explain", is_flag=True, help="Only say what kinds of changes there are.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How the figures are printed.")
def mutate(
    file: str | None,
    only: str | None,
    operators: tuple[str, ...],
    sample: int | None,
    tests_only: bool,
    games: int,
    seed: int | None,
    jobs: int,
    recheck: bool,
    least: float | None,
    listing: bool,
    explain: bool,
    form: str,
) -> int:
    """Change the rules of a game or a variant in one place at a time, run its tests, and list the changes that no test notices.

    Changes that nobody could notice stand, with the reason, in a file beside the game: mutants/GAME.txt."""
    from rulesrun.mutation.trying import Wanted, described, mutate_file

    if explain:
        print("\n".join(described()))
        return 0
    if file is None:
        raise click.UsageError("which game? `rulesrun games` lists those that are shipped.")
    wanted = Wanted(only, operators, sample, 0 if tests_only else games, recheck, jobs, least)
    return mutate_file(file, wanted, seed, listing, form)
