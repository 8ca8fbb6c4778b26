"""The checker as the rest of the house sees it: its error about what somebody gave us is one of ours too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tengen.game import TengenError
from tengen.prove.check import Verdict
from tengen.prove.checker.text import NoProofError
from tengen.prove.parallel import check as check_in_parallel


class NoProofFileError(TengenError, NoProofError):
    """The file is no proof file at all. The checker, which knows nothing of the house, knows the second half alone."""


@contextmanager
def telling_no_proof() -> Iterator[None]:
    """What the checker calls no proof is a `TengenError`.

    Raises:
        NoProofFileError: in the place of a plain `NoProofError`.
    """
    try:
        yield
    except NoProofError as error:
        raise NoProofFileError(str(error)) from error


def check(path: str | Path, *, jobs: int = 1, progress: Callable[[int, int], object] | None = None) -> Verdict:
    """Checks a proof file, or a breaker's strategy, compressed or not.

    Args:
        path: the file.
        jobs: how many processes may share the work on a large proof of a win.
        progress: called now and then with the nodes done and the nodes in all.

    Raises:
        NoProofError: if it is no proof file; it is a `TengenError` here.
        OSError: if it cannot be read.
    """
    with telling_no_proof():
        return check_in_parallel(path, jobs=jobs, progress=progress)
