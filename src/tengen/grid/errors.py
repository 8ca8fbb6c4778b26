"""What can be wrong about a grid."""

from tengen.game import TengenError


class GridError(TengenError):
    """A job, a key or a grid that cannot be used as it is."""


class VersionError(GridError):
    """Two programs that should work together speak different versions."""


class RefusedError(GridError):
    """The grid does not let this key in, or no longer."""


class BrokerError(GridError):
    """The broker does not run, does not answer, or does not do as it is told."""
