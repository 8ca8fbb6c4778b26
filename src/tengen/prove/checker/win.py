"""The rules of a win: the attacker completes a row, whatever the defender does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tengen.prove.checker.board import Board, Zones, bits
from tengen.prove.checker.file import Header
from tengen.prove.checker.text import REFERENCE, REPLY, Refused
from tengen.prove.checker.walk import Walk

# At one node.
MAX_BRANCHES = 100_000
MAX_REPLIES = 1_000_000
MAX_REPLY_BITS = 1 << 33
MAX_COMPARED = 20_000_000


class Outcome(NamedTuple):
    """What has come out of the questions which replies are answered."""

    zones: Zones
    """Of the rows and threats, and of all used replies that are no macros."""
    used: int
    """How many replies that is."""
    unanswered: list[int]
    """Full replies without an answer, which a macro must contain."""


@dataclass(slots=True)
class Node:
    """A position with the defender to move, and the answered replies so far.

    Stones and the move are laid out in lines, replies are plain sets.
    """

    number: int
    reply: str
    answer: str
    attackers: int
    defenders: int
    stones: int = 0
    """How many the defender places."""
    move: int = 0
    """The attacker's move that led here."""
    replied: int = 0
    """The reply before it, and whether that stands for several."""
    macro: bool = False
    last: tuple[bool, int, tuple[int, ...]] | None = None
    """The last reply that was read, as it is sorted."""
    answers: dict[int, Zones] = field(default_factory=dict)
    macros: list[tuple[int, Zones]] = field(default_factory=list)
    outcome: Outcome | None = None
    """Once it has been asked which replies are answered."""


class WinWalk(Walk[Node]):
    """Walks through the body of a win, one node at a time."""

    def __init__(self, board: Board, header: Header, referenced: set[int]) -> None:
        if header.maker_breaker and header.attacker == "white":
            raise Refused("White, the breaker, cannot win")
        super().__init__(board, header, header.attacker, referenced)
        self.kept: dict[int, tuple[int, int, Zones]] = {}
        """By number, of nodes that are referred to: the stones of both sides as plain sets, and the zones."""
        self.zones: Zones = (0, 0, 0)
        """In the end, those of the first position."""
        self.stays_inside = True
        """Whether nothing so far depended on the edge of the board."""
        self.look_at(self.attackers | self.defenders)
        if not self.attacker_moves:
            self.path.append(Node(0, "", "", self.attackers, self.defenders, header.left))
            self.started = True

    def where(self, number: int) -> tuple[int | None, tuple[str, ...]]:
        """The node at which it stopped, and the moves to it."""
        line = tuple(text for node in self.path for text in (node.reply, node.answer) if text not in ("", "-"))
        return (self.path[-1].number if self.path else number) or None, line

    def look_at(self, stones: int) -> None:
        """Notes whether segments through these stones would leave the board."""
        if stones & self.board.plain & ~self.board.inner:
            self.stays_inside = False

    # Reading

    def feed(self, number: int, text: str) -> None:
        """Takes the next line."""
        depth, (_, reply, answer) = self.enter(number, text, 3)
        board = self.board
        if depth == 0:
            if reply != "-":
                raise Refused("the first line has a reply to nothing")
            node = Node(number, reply, answer, self.attackers, self.defenders)
            left = self.left
        else:
            above = self.path[-1]
            stones, macro = self.reply(above, reply)
            node = Node(number, reply, answer, above.attackers, above.defenders | stones)
            node.replied, node.macro = stones & board.plain, macro
            left = board.move_size(node.attackers | node.defenders)
        if answer.startswith("=") and (match := REFERENCE.fullmatch(answer)):
            self.path.append(node)  # for those who ask where
            zones = self.referred(int(match[1]), int(match[2]), node.attackers, node.defenders)
            self.path.pop()
            self.deliver(node, zones)
            return
        node.move, numbers = board.parse(answer)
        self.look_at(node.move)
        if node.move & (node.attackers | node.defenders) or not numbers:
            raise Refused(f"node {number}: {answer[:40]} is no move on empty squares")
        node.attackers |= node.move
        if len(numbers) != left and not (len(numbers) < left and board.has_row(node.attackers)):
            raise Refused(f"node {number}: {answer[:40]} has not {left} stones")
        node.stones = board.move_size(node.attackers | node.defenders)
        self.path.append(node)

    def parsed(self, text: str) -> tuple[int, tuple[int, ...], int, bool]:
        """The stones of a reply in lines and as numbers, its passes, and whether it stands for several."""
        match = REPLY.fullmatch(text)
        if match is None or match[2] == "-":
            raise Refused(f"{text[:40]!r} is no reply")
        return *self.board.parse(match[2] or "-"), int(match[3] or 0), match[1] == "+"

    def reply(self, above: Node, text: str) -> tuple[int, bool]:
        """The stones of a reply, which must be possible there and in order, and whether it stands for several."""
        stones, numbers, passes, macro = self.parsed(text)
        self.look_at(stones)
        if stones & (above.attackers | above.defenders):
            raise Refused(f"the reply {text[:40]} is not on empty squares")
        if (macro and (passes or not stones)) or (not macro and len(numbers) + passes != above.stones):
            raise Refused(f"the reply {text[:40]} has not {above.stones} stones")
        key = (macro, -passes, numbers)
        if above.last is not None and above.last >= key:
            raise Refused(f"the reply {text[:40]} is not in order")
        above.last = key
        return stones, macro

    def referred(self, number: int, symmetry: int, own: int, other: int) -> Zones:
        """The zones of an equal position that has been proved already."""
        if number not in self.kept:
            raise Refused(f"it refers to node {number}, which is not complete before it or only refers itself")
        board = self.board
        earlier_own, earlier_other, (one, two, three) = self.kept[number]
        for earlier, now in ((earlier_own, own), (earlier_other, other)):
            if board.image(earlier, symmetry) != now & board.plain:
                raise Refused(f"the position is not that of node {number}")
        turned = board.image_of_zone
        return turned(one, symmetry), turned(two, symmetry), turned(three, symmetry)

    # Judging

    def close(self) -> None:
        """The last node of the path is complete: judges it, and hands its zones to the node above."""
        node, plain = self.path[-1], self.board.plain
        one, two, three = self.judge(node)
        zones = one | node.move, two | node.move, three | node.move
        self.path.pop()
        if node.number in self.referenced:
            self.kept[node.number] = node.attackers & ~node.move & plain, node.defenders & plain, zones
        self.deliver(node, zones)

    def deliver(self, node: Node, zones: Zones) -> None:
        """Hands the zones of an answer to the node above."""
        if not self.path:
            self.zones = zones
        elif node.macro:
            self.path[-1].macros.append((node.replied, zones))
        else:
            self.path[-1].answers[node.replied] = zones

    def judge(self, node: Node) -> Zones:
        """The zones of a position with the defender to move, if the attacker wins it with the answers given."""
        if node.outcome is None:
            for _ in self.ask(node):
                pass
        assert node.outcome is not None
        (one, two, three), used, unanswered = node.outcome
        macros, compared = set(), 0
        for reply in unanswered:
            macro = next((i for i, (stones, _) in enumerate(node.macros) if not reply & ~stones), None)
            if macro is None:
                raise Refused(f"the reply {self.board.text(reply)} is not answered")
            macros.add(macro)
            compared += macro
            if compared > MAX_COMPARED:
                raise Refused("there are too many macro replies for so many replies")
        if used != len(node.answers) or len(macros) != len(node.macros):  # step 5
            raise Refused("it answers replies that need no answer")
        for _, zones in node.macros:
            one, two, three = one | zones[0], two | zones[1], three | zones[2]
        return one, two, three

    def ask(self, node: Node) -> Iterator[tuple[int, int]]:
        """Asks for every reply that must be answered, those with most passes first: yields its stones and passes.

        Whoever listens may put the answer among those of the node before he asks for the next. The steps are those of
        docs/proof-format.md.
        """
        board, own, other = self.board, node.attackers, node.defenders
        won = board.has_row(own)
        near: Zones | None = (0, 0, 0)
        if self.defender_wins_by_rows:
            near = board.near_rows(other, own, 0 if won else node.stones)
        if near is None:  # steps 1 and 2
            raise Refused("the defender completes a row")
        if won:  # step 1
            node.outcome = Outcome(near, 0, [])
            return
        empty = board.every & ~(own | other)
        if empty == board.beyond:
            raise Refused("the board is full and nobody has won")
        threats = board.gaps(own, other, board.p)  # step 3
        one, two, three = near if threats else (0, 0, 0)
        for threat in threats:  # step 6
            one, two, three = one | threat, two | threat, three | threat
        asked: list[set[int]] = [set() for _ in range(node.stones + 1)]  # by passes
        for defence in defences(threats, node.stones):
            asked[node.stones - defence.bit_count()].add(defence)
        used, tried, unanswered = 0, 0, []
        most = min(MAX_REPLIES, MAX_REPLY_BITS // board.area)
        for passes in range(node.stones, -1, -1):
            for reply in sorted(asked[passes], key=bits):
                yield reply, passes
                zones = node.answers.get(reply)
                if zones is not None:  # step 6 again
                    shifted = (*zones, empty, empty, empty)[min(passes, 3) :]
                    one, two, three = one | shifted[0], two | shifted[1], three | shifted[2]
                    used += 1
                elif passes == 0:
                    unanswered.append(reply)
                if passes:  # step 4
                    more = self.countable(empty if zones is None or passes > 3 else zones[passes - 1])
                    tried += more.bit_count()
                    if tried > most:
                        raise Refused("there are too many replies")
                    asked[passes - 1].update([reply | 1 << square for square in bits(more & ~reply)])
        node.outcome = Outcome((one, two, three), used, unanswered)

    def countable(self, zone: int) -> int:
        """The plain set of squares that must be tried one by one; the infinite board may have too many."""
        if zone & self.board.beyond:
            if self.board.infinite:
                raise Refused("every square of the infinite board would have to be tried")
            self.stays_inside = False
        return self.board.in_plain(zone)


def defences(threats: list[int], stones: int) -> set[int]:
    """The critical defences: the sets of at most so many squares that hit every threat, none of them needlessly."""
    found, branches, compared = set(), 0, 0
    stack = [(0, threats, stones)]
    while stack:
        chosen, missed, left = stack.pop()
        branches += 1
        compared += len(missed or threats)
        if branches > MAX_BRANCHES or compared > MAX_COMPARED:
            raise Refused("there are too many ways to meet the threats")
        if missed and left:
            hits = missed[0]
            if left == 1:
                for threat in missed:
                    hits &= threat
            for square in bits(hits):
                hit = 1 << square
                stack.append((chosen | hit, [threat for threat in missed if not threat & hit], left - 1))
        elif not missed and all(any(threat & chosen == 1 << s for threat in threats) for s in bits(chosen)):
            found.add(chosen)
    return found
