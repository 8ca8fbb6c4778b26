"""Other programs in one line of text: `cloudict:/path/to/engine its arguments,cwd=/folder,depth=4,memory=1G`.

First the protocol, a colon, and the command as a shell would split it; then options, each after a comma.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import Any

from tengen.game import Game, TengenError
from tengen.play.external.analysis import AnalysisEngine
from tengen.play.external.botzone import BotzoneEngine
from tengen.play.external.engine import ExternalEngine, Options
from tengen.play.external.gtp import GtpEngine
from tengen.play.external.letters import CloudictEngine, SauEngine
from tengen.play.external.process import Command

PROTOCOLS: dict[str, type[ExternalEngine]] = {
    "cloudict": CloudictEngine,
    "sau": SauEngine,
    "botzone": BotzoneEngine,
    "gtp": GtpEngine,
    "analysis": AnalysisEngine,
}
MIN_MEMORY = 1 << 24

_OPTION = re.compile(r",(?=[a-z]+=)")
_MEMORY = re.compile(r"(\d{1,15})([KMGT]?)B?", re.IGNORECASE)


def is_external(spec: str) -> bool:
    """Whether a text names another program."""
    return _without_prefix(spec).partition(":")[0] in PROTOCOLS and ":" in spec


def external_agent(spec: str) -> ExternalEngine:
    """The agent for another program; it is started when it is first asked.

    Options are `name`, `cwd`, `game`, `memory` (as 512M or 1G), `cpu` (seconds of processor time in its whole life),
    `seconds` (the most for a move), `startup` (the most to come up), `depth` and `vcf` (yes or no).

    Raises:
        TengenError: if the text is no such thing.
    """
    protocol, colon, rest = _without_prefix(spec).partition(":")
    if protocol not in PROTOCOLS or not colon:
        raise TengenError(
            f"{spec!r} names no program: write a protocol ({', '.join(PROTOCOLS)}), a colon and a command, "
            "like cloudict:/path/to/engine,depth=4"
        )
    command, *parts = _OPTION.split(rest)
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise TengenError(f"{command!r} cannot be read as a command: {error}") from error
    if not words or not words[0]:
        raise TengenError(f"{spec!r} names no program after '{protocol}:'")
    values: dict[str, Any] = {}
    for part in parts:
        key, _, text = part.partition("=")
        if key not in _READERS:
            raise TengenError(f"{key!r} is no option of a program; there are {', '.join(_READERS)}")
        if key in values:
            raise TengenError(f"{key!r} is given twice")
        values[key] = _READERS[key](key, text)
    limits = {"folder": values.pop("cwd", None), "memory": values.pop("memory", None)}
    return PROTOCOLS[protocol](
        Command(words[0], tuple(words[1:]), cpu_seconds=values.pop("cpu", None), **limits), Options(**values)
    )


def _without_prefix(spec: str) -> str:
    return spec.strip().removeprefix("external:")


def _text(key: str, text: str) -> str:
    if not text:
        raise TengenError(f"{key}= is empty")
    return text


def _seconds(key: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e9:
        raise TengenError(f"{key}={text} is no number of seconds")
    return seconds


def _whole(key: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) > 0):
        raise TengenError(f"{key}={text} is no whole number above 0")
    return int(text)


def _bytes(key: str, text: str) -> int:
    match = _MEMORY.fullmatch(text)
    size = 0 if match is None else int(match[1]) << 10 * " KMGT".index(match[2].upper() or " ")
    if not MIN_MEMORY <= size < 1 << 50:
        raise TengenError(f"{key}={text} is no amount of memory: write 512M or 1G, and at least {MIN_MEMORY >> 20}M")
    return size


def _yes_or_no(key: str, text: str) -> bool:
    answer = {"yes": True, "no": False}.get(text.lower())
    if answer is None:
        raise TengenError(f"{key}={text}: say yes or no")
    return answer


def _game(_key: str, text: str) -> Game:
    return Game.parse(text)


_READERS: dict[str, Callable[[str, str], Any]] = {
    "name": _text,
    "cwd": _text,
    "game": _game,
    "memory": _bytes,
    "cpu": _whole,
    "seconds": _seconds,
    "startup": _seconds,
    "depth": _whole,
    "vcf": _yes_or_no,
}
