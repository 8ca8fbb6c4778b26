"""`tengen fair`: is a game fair?"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer
from rich.table import Table

from tengen.arena import Outcome, Rules, play_game
from tengen.cli.common import (
    EXIT_INTERRUPTED,
    JsonOption,
    SvgOption,
    counted,
    out,
    print_json,
    refuse_given,
    share_standard_output,
    write_output,
)
from tengen.cli.searching import reported_progress
from tengen.game import Game, Position, TengenError
from tengen.play.agent import dismiss
from tengen.play.intervals import wilson
from tengen.play.registry import make_agent
from tengen.solve.limits import check_limits
from tengen.theory import Assessment, Fairness, Kind, Says, SelfPlay, assess, draw_map, family_map

_PLAYER = "engine:level=8,threads=1"
_NODES = 2_000
_SIDE = 19
"""Of the board that stands for the infinite one in games."""
_LETTERS = {
    "black wins": "B",
    "white wins": "W",
    "a draw": "=",
    "monotonically unfair": "m",
    "empirically unfair": "e",
    "potentially fair": "f",
}


def fair(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Such as connect6 or 'Connect(6,2,1)'; the whole map if left out."),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=0, help="Play so many games of a player with himself.")
    ] = 0,
    player: Annotated[str, typer.Option("--player", metavar="AGENT", help="Who plays them.")] = _PLAYER,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="Nodes for each of his moves.")] = _NODES,
    most_k: Annotated[int, typer.Option("--most-k", min=3, max=60, help="Of the map: the largest k.")] = 14,
    most_p: Annotated[int, typer.Option("--most-p", min=1, max=12, help="Of the map: the largest p.")] = 4,
    svg: SvgOption = None,
    json: JsonOption = False,
) -> None:
    """Say how fair a game is, and why: proofs, theorems, and games that were played. Without a game, draw the map."""
    share_standard_output(json, svg)
    if game is None:
        refuse_given(context, "which game are they to play? The map has many", "games", "player", "nodes")
        _map(most_k, most_p, svg, json)
        return
    refuse_given(context, "that is for the map: leave the game out", "most_k", "most_p", "svg")
    if not games:
        refuse_given(context, "no games are played without --games", "player", "nodes")
    parsed = Game.parse(game)
    played = play_games(parsed, games, player, nodes)
    assessment = assess(parsed, [played] if played.games else [])
    if json:
        print_json(assessment.as_json())
    else:
        _print(assessment)
    if played.games < games:
        raise typer.Exit(EXIT_INTERRUPTED)


def play_games(game: Game, count: int, player: str, nodes: int) -> SelfPlay:
    """Has a player play himself, each game with other seeds; on the infinite board, 19 x 19 stands for it.

    Ctrl-C ends it: the games that were played to their end are counted.

    Raises:
        TengenError: if there is no such player, the nodes make no sense, no row fits on the board, or he cannot play a
            game to its end.
    """
    check_limits(nodes=nodes)
    board = Game(_SIDE, _SIDE, game.k, game.p, game.q, game.maker_breaker) if game.is_infinite else game
    if game.is_infinite and game.k > _SIDE:
        raise TengenError(f"{_SIDE} x {_SIDE} stands for the infinite board, and {game.k} in a row do not fit there")
    won = {1.0: 0, 0.5: 0, 0.0: 0}
    with reported_progress("games") as report, suppress(KeyboardInterrupt):
        for number in range(count):
            black, white = (make_agent(player, seed=2 * number + side) for side in (0, 1))
            try:
                outcome = play_game(black, white, Position(board), Rules(nodes=nodes))
            finally:
                for agent in (black, white):
                    dismiss(agent)
            if outcome.reason.is_fault:  # it tells something of the player, and nothing of the game
                raise TengenError(f"{player} cannot play {board}: {_fault(outcome)}")
            won[outcome.black_points] += 1
            report(number + 1, count)
    count = sum(won.values())
    low, high = wilson(won[1.0] + won[0.5] / 2, count)
    command = self_play_command(board, count, player, nodes)
    return SelfPlay(str(board), player, won[1.0], won[0.5], won[0.0], round(low, 4), round(high, 4), command)


def _fault(outcome: Outcome) -> str:
    """What a player did that no player may do."""
    return f"{outcome.reason} ({outcome.detail})" if outcome.detail else str(outcome.reason)


def self_play_command(board: Game, count: int, player: str, nodes: int) -> str:
    """What to type for these games."""
    return f'tengen fair "{board}" --games {count} --player "{player}" --nodes {nodes}'


def _print(assessment: Assessment) -> None:
    game = assessment.game
    value = f": {assessment.value}" if assessment.value else ""
    out.print(f"{game} is {assessment.fairness}{value}.", style="bold")
    if why := _why_games_do_not_decide(assessment):
        out.print(f"  {why}")
    # The same command may stand for several proofs, which say the same.
    different = {(one.kind, one.says, one.source): one for one in reversed(assessment.evidence)}
    for evidence in reversed(different.values()):
        out.print(f"  {evidence.kind}: {evidence.says}; {evidence.why} ({evidence.source})")
    size = assessment.complexity
    if size.tree is None:
        out.print("  On the infinite board the game tree and the state space have no end.")
    else:
        moves = counted(size.length, "move")
        out.print(
            f"  game tree: 10^{size.tree:.0f} ({moves}); state space: 10^{size.states:.0f}, "
            f"with the right numbers of stones 10^{size.legal_states:.0f}",
        )


def _why_games_do_not_decide(assessment: Assessment) -> str | None:
    """Half a sentence for a game that is called fair although games favour somebody; None for others."""
    said = {(one.kind, one.says) for one in assessment.evidence}
    favoured = {(Kind.GAMES, Says.FAVOURS_BLACK), (Kind.GAMES, Says.FAVOURS_WHITE)} & said
    if assessment.fairness is not Fairness.POTENTIALLY_FAIR or assessment.value is not None or not favoured:
        return None
    if (Kind.OPINION, Says.EVEN) in said:
        return "The games below do not decide it: strong players are better judges than a program against itself."
    return "The games below do not decide it: those of different players do not agree."


def _map(most_k: int, most_p: int, svg: str | None, json: bool) -> None:
    cells = family_map(most_k, most_p)
    if svg is not None:
        write_output(svg, draw_map(cells).encode())
    if json:
        for cell in cells:
            print_json(cell.as_json())
    elif svg != "-":
        shown = Table("p", "q", *map(str, range(3, most_k + 1)), title="k", title_style="")
        for p in range(1, most_p + 1):
            for q in range(1, p + 2):
                row = [_LETTERS[cell.label] for cell in cells if (cell.p, cell.q) == (p, q)]
                shown.add_row(str(p), str(q), *row, end_section=q == p + 1)
        out.print(shown)
        out.print("  ".join(f"{letter} {label}" for label, letter in _LETTERS.items()))
