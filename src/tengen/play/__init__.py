"""What is a good move? For now: opponents for a first game."""

from tengen.play.opponents import OPPONENTS, Opponent, RandomOpponent, SimpleOpponent

__all__ = ["OPPONENTS", "Opponent", "RandomOpponent", "SimpleOpponent"]
