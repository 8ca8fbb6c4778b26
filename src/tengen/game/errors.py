"""What can be wrong about a game: every error is a `ValueError` that names the thing and the reason."""


class TengenError(ValueError):
    """The common ancestor of all errors about what somebody gave us."""


class GameError(TengenError):
    """The parameters or the name of a game make no sense."""


class NotationError(TengenError):
    """A text is not a square, a move or a position."""


class IllegalMoveError(TengenError):
    """A move that the rules or the present position forbid."""


class SetupError(TengenError):
    """Stones that cannot be set up on this board."""
