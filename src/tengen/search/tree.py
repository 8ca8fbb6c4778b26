"""The tree of a job-level search: positions that are equal by transposition or symmetry are one node.

So it is a directed graph without cycles: stones only grow in number. A number that is summed over children counts a
shared node once for every way that leads to it, as always with proof numbers in such graphs; values, which are sets of
proved facts, suffer nothing by it.

Everything stands in columns of plain numbers, a few dozen bytes a node. A node's position is not kept but found by
playing the moves that lead to it. Node 0 is the root; children stand in the order in which they came.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterable, Iterator

from tengen.game import Colour, Move, Position, Square, TengenError
from tengen.search.finding import Finding
from tengen.search.frame import framed, key_of, move_count, ordered, symmetry_to_frame, turned, with_images
from tengen.search.values import (
    ATTACKER_WINS,
    DEFENDER_WINS,
    DRAWN,
    LOST,
    STATUSES,
    UNKNOWN,
    WON,
    chance_of,
    combined,
    is_settled,
)

_NONE = -1
_POSITIONS = 2_000
"""So many positions are kept at hand."""
_SHIFT = 1 << 14
"""Added to columns and rows, of which the infinite board has negative ones."""


class Tree:
    """Nodes, the moves between them, and what is proved of them.

    Raises:
        TengenError: if the game is over in the first position.
    """

    def __init__(self, root: Position, attacker: Colour) -> None:
        if root.is_over:
            raise TengenError("the game is over: there is nothing to search")
        self.game, self.attacker = root.game, attacker
        self.first = root
        """The first position as it was given; nodes have their positions turned, `frame` says how."""
        self._root = framed(root)
        self._positions = {0: self._root}
        self._stones = max(root.game.p, root.stones_left)
        self._by_key: dict[int, int] = {}
        # By node
        self._attacker_moves = array("b")
        self._depth = array("H")
        self._value = array("B")
        self._own_value = array("B")
        self._is_closed = array("b")
        self._status = array("b")
        self._chance = array("f")
        self._proof = array("q")
        self._eldest, self._youngest, self._parent = array("i"), array("i"), array("i")  # edges
        # By edge
        self._from, self._to = array("i"), array("i")
        self._next_child, self._next_parent = array("i"), array("i")
        self._squares = array("i")
        self._new_node(key_of(root), root.turn is attacker, 0, "stable", 0.5)

    def __len__(self) -> int:
        return len(self._value)

    # What a node is

    def attacker_moves(self, node: int) -> bool:
        """Whether the attacker is to move."""
        return bool(self._attacker_moves[node])

    def depth(self, node: int) -> int:
        """How many moves lead to a node."""
        return self._depth[node]

    def value(self, node: int) -> int:
        """What is proved of it."""
        return self._value[node]

    def is_settled(self, node: int) -> bool:
        """Whether nothing is left to ask about it."""
        return is_settled(self._value[node])

    def is_decided_alone(self, node: int) -> bool:
        """Whether a job or the rules decided it, and not its children."""
        return self._own_value[node] != UNKNOWN

    def is_closed(self, node: int) -> bool:
        """Whether every move that has no node here is proved to lose."""
        return bool(self._is_closed[node])

    def status(self, node: int) -> str:
        """What was thought of it when it came."""
        return STATUSES[self._status[node]]

    def chance(self, node: int) -> float:
        """How likely the attacker was thought to win when it came."""
        return self._chance[node]

    def proof(self, node: int) -> int | None:
        """Where its own proof is kept, as `grow` was told; None if there is none."""
        return None if self._proof[node] == _NONE else self._proof[node]

    def winner(self, node: int) -> Colour | None:
        """Who is proved to win."""
        value = self._value[node]
        return {ATTACKER_WINS: self.attacker, DEFENDER_WINS: self.attacker.opponent}.get(value & 3)

    # Its neighbours

    def children(self, node: int) -> Iterator[int]:
        """Its children, eldest first."""
        return (self._to[edge] for edge in self._edges(node))

    def moves(self, node: int) -> Iterator[tuple[Move, int]]:
        """The moves to its children with these, eldest first; squares are those of the node's own position."""
        return ((self._move(edge), self._to[edge]) for edge in self._edges(node))

    def youngest(self, node: int) -> int | None:
        """The child that came last."""
        edge = self._youngest[node]
        return None if edge == _NONE else self._to[edge]

    def parents(self, node: int) -> Iterator[int]:
        """All nodes with a move to it."""
        edge = self._parent[node]
        while edge != _NONE:
            yield self._from[edge]
            edge = self._next_parent[edge]

    def find(self, position: Position) -> int | None:
        """The node of a position, or of one that equals it by symmetry."""
        return self._by_key.get(key_of(position))

    def position(self, node: int) -> Position:
        """The position of a node, turned as the node has it; not to be played on."""
        known = self._positions
        edges = []
        while node not in known:
            edge = self._first_edge_to(node)
            edges.append(edge)
            node = self._from[edge]
        position = known[node]
        if len(known) > _POSITIONS:
            known.clear()
            known[0] = self._root
        for edge in reversed(edges):
            after = position.after(self._move(edge))
            position = known[self._to[edge]] = framed(after)
        return position

    def prohibited(self, node: int, position: Position) -> list[Move]:
        """The moves that lead to its children, with all that equal them by a symmetry of its position."""
        return with_images((move for move, _ in self.moves(node)), position)

    def line(self, choose: Callable[[int], int | None]) -> list[Move]:
        """The moves from the first position that somebody chooses, as one sees them from there.

        Args:
            choose: the child to go to from a node, None to stop.
        """
        position, moves, node = self.first.copy(), [], 0
        while (child := choose(node)) is not None:
            back = symmetry_to_frame(position).inverse
            move = next(move for move, to in self.moves(node) if to == child)
            moves.append(turned(move, back, position))
            position.play(moves[-1])
            node = child
        return moves

    # Growth

    def add(self, node: int, position: Position, move: Move, status: str, chance: float | None = None) -> int | None:
        """Adds the child that a move leads to, or a way to it if it is known; None if the move is there already.

        Args:
            node: the parent.
            position: the parent's position.
            move: a legal move in it.
            status: what is thought of the child.
            chance: how likely the side that moves is to win.
        """
        packed = self._packed(ordered(move))
        if any(self._squares_of(edge) == packed for edge in self._edges(node)):
            return None
        after = position.after(move)
        key = key_of(after)
        child = self._by_key.get(key)
        if child is None:
            likely = chance_of(status, self.attacker)
            if chance is not None:
                likely = chance if position.turn is self.attacker else 1 - chance
            child = self._new_node(key, after.turn is self.attacker, self._depth[node] + 1, status, likely)
            if after.winner is not None:
                self._own_value[child] = WON if after.winner is self.attacker else LOST
            elif after.is_draw:
                self._own_value[child] = DRAWN
        self._new_edge(node, child, packed)
        return child

    def grow(self, node: int, position: Position, finding: Finding, proof: int | None = None) -> list[int]:
        """Takes in what a job found at a node; returns the children that came of it.

        Values change only when `revalue` is called from the node and the children up.

        Args:
            node: where the job was run.
            position: its position.
            finding: what the job found; whoever calls has checked its proof.
            proof: where that is kept.
        """
        status, chance = finding.status or "stable", finding.chance
        added = [self.add(node, position, move, status, chance) for move in finding.moves]
        if finding.outcome == "loss":
            self._is_closed[node] = True
        elif finding.outcome == "move":
            self._is_closed[node] |= len(self.prohibited(node, position)) == move_count(position)
        elif finding.outcome in ("win", "draw"):
            mover_wins = WON if self._attacker_moves[node] else LOST
            self._own_value[node] = DRAWN if finding.outcome == "draw" else mover_wins
        if finding.proof and proof is not None:
            self._proof[node] = proof
        return [child for child in added if child is not None]

    def revalue(self, node: int) -> bool:
        """Finds the value of a node by those of its children; returns whether it has changed."""
        own = self._own_value[node]
        children = map(self._value.__getitem__, self.children(node))
        value = own or combined(bool(self._attacker_moves[node]), bool(self._is_closed[node]), children)
        if value == self._value[node]:
            return False
        self._value[node] = value
        return True

    def propagate(self, nodes: Iterable[int], visit: Callable[[int], bool]) -> None:
        """Visits nodes and, as long as that changes something, all above them; deeper ones first, each once.

        Args:
            nodes: where to begin.
            visit: called with a node; returns whether those above must be visited.
        """
        waiting = set(nodes)
        heap = [(-self._depth[node], node) for node in waiting]
        heapq.heapify(heap)
        while heap:
            _, node = heapq.heappop(heap)
            if visit(node):
                for parent in self.parents(node):
                    if parent not in waiting:
                        waiting.add(parent)
                        heapq.heappush(heap, (-self._depth[parent], parent))

    # Inside

    def _new_node(self, key: int, attacker_moves: bool, depth: int, status: str, chance: float) -> int:
        node = len(self._value)
        self._by_key[key] = node
        self._attacker_moves.append(attacker_moves)
        self._depth.append(depth)
        self._value.append(UNKNOWN)
        self._own_value.append(UNKNOWN)
        self._is_closed.append(False)
        self._status.append(STATUSES.index(status))
        self._chance.append(chance)
        for column in (self._proof, self._eldest, self._youngest, self._parent):
            column.append(_NONE)
        return node

    def _new_edge(self, parent: int, child: int, packed: array[int]) -> None:
        edge = len(self._from)
        self._from.append(parent)
        self._to.append(child)
        self._next_child.append(_NONE)
        if self._youngest[parent] == _NONE:
            self._eldest[parent] = edge
        else:
            self._next_child[self._youngest[parent]] = edge
        self._youngest[parent] = edge
        # The first way to a node stays the last in its list: `position` goes back by it.
        self._next_parent.append(self._parent[child])
        self._parent[child] = edge
        self._squares.extend(packed)

    def _edges(self, node: int) -> Iterator[int]:
        edge = self._eldest[node]
        while edge != _NONE:
            yield edge
            edge = self._next_child[edge]

    def _first_edge_to(self, node: int) -> int:
        edge = self._parent[node]
        while self._next_parent[edge] != _NONE:
            edge = self._next_parent[edge]
        return edge

    def _squares_of(self, edge: int) -> array[int]:
        return self._squares[edge * self._stones : (edge + 1) * self._stones]

    def _packed(self, move: Move) -> array[int]:
        """A move as its edge keeps it."""
        squares = [(square.x + _SHIFT) << 15 | square.y + _SHIFT for square in move]
        return array("i", squares + [_NONE] * (self._stones - len(squares)))

    def _move(self, edge: int) -> Move:
        squares = self._squares_of(edge)
        return Move(Square((s >> 15) - _SHIFT, (s & (1 << 15) - 1) - _SHIFT) for s in squares if s != _NONE)
