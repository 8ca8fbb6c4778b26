"""Random small positions in which threats come about, as (black squares, white squares)."""

import random

from reference.threat_search import Board, Square, can_be_hit

Recipe = tuple[int, int, int, int, int, int, int]

# For `quiet_position`: m, n, k, p, black stones, white stones, white threats. Of these between a tenth and two thirds
# are won within three double or two single threats, many of them not at once.
RECIPES: list[Recipe] = [
    (9, 9, 6, 2, 7, 5, 0),
    (9, 9, 6, 2, 8, 8, 1),
    (7, 7, 4, 2, 0, 7, 0),
    (7, 7, 4, 2, 1, 8, 1),
    (7, 7, 5, 2, 2, 3, 0),
    (7, 7, 5, 2, 3, 6, 1),
    (8, 8, 5, 2, 3, 5, 0),
    (6, 5, 5, 2, 3, 2, 0),  # some of these are won by single threats only
    (7, 7, 4, 1, 5, 5, 1),
]


def random_position(
    rng: random.Random, m: int, n: int, k: int, p: int, q: int, stones: int
) -> tuple[list[Square], list[Square]]:
    """About `stones` clustered stones in the numbers of a real game, nobody with k in a row.

    The last move may be unfinished; `to_move` tells from the count who goes on, and with how many stones. Nobody here
    looks at threats, so the side to move often wins at once.
    """
    held: dict[Square, int] = {}
    middle = rng.randrange(m), rng.randrange(n)
    for number in range(min(stones, m * n)):
        colour = colour_of(number, p, q)
        for square in candidates(rng, m, n, k, held, colour, middle):
            held[square] = colour
            if not Board(m, n, k, p, held).has_row(colour):
                break
            del held[square]
        else:
            break  # every square would end the game
    return split(held)


def quiet_position(
    rng: random.Random, m: int, n: int, k: int, p: int, black: int, white: int, white_threats: int = 0
) -> tuple[list[Square], list[Square]]:
    """At most so many black and white stones, clustered, in which Black has no threat segment yet.

    White has at most `white_threats` threats, so that Black, the attacker, may have to block as well. As Black cannot
    complete a row at once, a win from here needs a search. Uneven numbers are meant: they set how hard it is for Black.
    """
    most = (0, white_threats)
    held: dict[Square, int] = {}
    colours = [0] * black + [1] * white
    rng.shuffle(colours)
    middle = rng.randrange(m), rng.randrange(n)
    for colour in colours:
        for square in candidates(rng, m, n, k, held, colour, middle):
            held[square] = colour
            board = Board(m, n, k, p, held)
            gaps = [segment - board.of_colour(colour) for segment in board.threat_segments(colour)]
            if can_be_hit(gaps, most[colour]):
                break
            del held[square]
    return split(held)


def split(held: dict[Square, int]) -> tuple[list[Square], list[Square]]:
    return [s for s, colour in held.items() if colour == 0], [s for s, colour in held.items() if colour == 1]


def colour_of(number: int, p: int, q: int) -> int:
    """Who places the stone with this number, counted from 0."""
    return 0 if number < q else 1 - (number - q) // p % 2


def to_move(stones: int, p: int, q: int) -> tuple[int, int]:
    """Who places the next stone, and how many he has still to place in this move."""
    if stones < q:
        return 0, q - stones
    return colour_of(stones, p, q), p - (stones - q) % p


def candidates(
    rng: random.Random, m: int, n: int, k: int, held: dict[Square, int], colour: int, middle: Square
) -> list[Square]:
    """The empty squares in a random order, first those near: mostly in line with a stone of the same colour."""
    empty = [(x, y) for x in range(m) for y in range(n) if (x, y) not in held]
    rng.shuffle(empty)
    own = [square for square, owner in held.items() if owner == colour]
    if own and rng.random() < 0.8:
        x, y = rng.choice(own)
        reach = rng.randint(1, max(1, k - 2))
        empty.sort(key=lambda square: not in_line(square[0] - x, square[1] - y, reach))
    else:
        x, y = rng.choice(list(held)) if held else middle
        empty.sort(key=lambda square: max(abs(square[0] - x), abs(square[1] - y)) > 2)
    return empty


def in_line(dx: int, dy: int, reach: int) -> bool:
    return max(abs(dx), abs(dy)) <= reach and (dx == 0 or dy == 0 or abs(dx) == abs(dy))
