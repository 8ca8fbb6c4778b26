"""Agents by name: `sequences`, `monte-carlo:seconds=1`, `minimax:threats,depth=4`.

After the name and a colon come values, separated by commas: first those that need no name, as the agent that minimax
searches over, then `name=value`. A value with commas or colons of its own stands in parentheses:
`minimax:(sequences:defence=2),depth=4`.

An agent is made by a class or function that takes its parameters by keyword, annotated with `int`, `float`, `bool`,
`str`, `Agent` or `Ranking` (or one of these or None; with `Annotated`, a text explains it), and `seed`, where it
wants one. Its help is the first paragraph of its docstring. Packages add their own under the entry point group
`tengen.agents`.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from tengen.game import TengenError
from tengen.play.agent import Agent
from tengen.play.agents import (
    Adjacent,
    Mesh,
    Minimax,
    MonteCarlo,
    OpeningBookAgent,
    Random,
    Sequences,
    Simple,
    Threats,
    Windows,
)
from tengen.play.engine import Engine
from tengen.play.external import external_agent, is_external
from tengen.play.ranking import Ranking

GROUP = "tengen.agents"
"""The entry point group under which packages add agents."""

_OWN: dict[str, Callable[..., Agent]] = {
    "engine": Engine,
    "random": Random,
    "simple": Simple,
    "adjacent": Adjacent,
    "windows": Windows,
    "threats": Threats,
    "sequences": Sequences,
    "monte-carlo": MonteCarlo,
    "mesh": Mesh,
    "opening-book": OpeningBookAgent,
    "minimax": Minimax,
}
_SEED = "seed"


@dataclass(frozen=True)
class Parameter:
    """A parameter of an agent."""

    name: str
    type: Any
    help: str
    default: Any
    is_required: bool
    is_positional: bool
    """Whether it may be given without its name."""

    @property
    def type_name(self) -> str:
        """A word for what it wants."""
        return {int: "number", float: "number", bool: "yes or no", str: "text"}.get(self.type, "agent")


class AgentKind:
    """A name by which agents can be made. What a package adds is loaded when something is asked of it."""

    def __init__(self, name: str, factory: Callable[..., Agent] | EntryPoint) -> None:
        self.name = name
        self._source = factory

    @property
    def package(self) -> str:
        """Where it comes from."""
        if not isinstance(self._source, EntryPoint):
            return "tengen"
        return self._source.dist.name if self._source.dist is not None else self._source.module

    @cached_property
    def factory(self) -> Callable[..., Agent]:
        """The class or function that makes it.

        Raises:
            TengenError: if a package's entry cannot be loaded.
        """
        if not isinstance(self._source, EntryPoint):
            return self._source
        try:
            loaded = self._source.load()
        except Exception as error:  # whatever a stranger's module does when it is imported
            raise TengenError(f"the agent {self.name!r} of {self.package} cannot be loaded: {error}") from error
        if not callable(loaded):
            raise TengenError(f"the agent {self.name!r} of {self.package} cannot be made: {loaded!r} is no function")
        factory: Callable[..., Agent] = loaded
        return factory

    @property
    def help(self) -> str:
        """What it does, in a sentence or two.

        Raises:
            TengenError: if a package's entry cannot be loaded.
        """
        return " ".join((inspect.getdoc(self.factory) or "").partition("\n\n")[0].split())

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What can be said of it, but for the seed.

        Raises:
            TengenError: if a package's entry cannot be loaded.
        """
        return tuple(_parameter(self._hints.get(p.name, str), p) for p in self._signature.values() if p.name != _SEED)

    @property
    def _signature(self) -> dict[str, inspect.Parameter]:
        skipped = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        found = inspect.signature(self.factory).parameters
        return {name: parameter for name, parameter in found.items() if parameter.kind not in skipped}

    @property
    def _hints(self) -> dict[str, Any]:
        made_by: Any = self.factory.__init__ if inspect.isclass(self.factory) else self.factory
        return get_type_hints(made_by, include_extras=True)

    def make(self, words: list[str], seed: int | None, programs: Collection[str] | None = None) -> Agent:
        """The agent, from the words after its name.

        Args:
            words: values and `name=value`.
            seed: for an agent that draws lots, and those within it.
            programs: as in `make_agent`, for agents within this one.

        Raises:
            TengenError: if a word makes no sense, or the agent cannot be made.
            OSError: if a file that it needs cannot be read.
        """
        values: dict[str, Any] = {}
        by_name = {parameter.name: parameter for parameter in self.parameters}
        unnamed = [parameter for parameter in self.parameters if parameter.is_positional]
        for word in words:
            key, equals, text = _split_word(word)
            if not equals:
                if not unnamed:
                    raise TengenError(f"{self.name}: {word!r} should be name=value{self._known(by_name)}")
                key, text = unnamed.pop(0).name, word
            elif key == _SEED and _SEED in self._signature:
                seed = int(_value(self.name, key, int, text, seed, programs))
                continue
            elif key not in by_name:
                raise TengenError(f"{self.name} has no parameter {key!r}{self._known(by_name)}")
            if key in values:
                raise TengenError(f"{self.name}: {key} is given twice")
            values[key] = _value(self.name, key, by_name[key].type, text, seed, programs)
        for parameter in self.parameters:
            if parameter.is_required and parameter.name not in values:
                raise TengenError(f"{self.name} needs {parameter.name}: {parameter.help or parameter.type_name}")
        if _SEED in self._signature:
            values[_SEED] = seed
        try:
            return self.factory(**values)
        except (TengenError, OSError):
            raise
        except Exception as error:  # whatever a stranger's class does when it is made
            if not isinstance(self._source, EntryPoint):
                raise
            reason = f"{type(error).__name__}: {error}"
            raise TengenError(f"the agent {self.name!r} of {self.package} cannot be made: {reason}") from error

    @staticmethod
    def _known(by_name: dict[str, Parameter]) -> str:
        return f"; there are {', '.join(by_name)}" if by_name else "; it has none"


def agent_kinds() -> dict[str, AgentKind]:
    """All agents that can be made, by name: our own, then those of other packages, which cannot take a name of ours."""
    kinds = {name: AgentKind(name, factory) for name, factory in _OWN.items()}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        kinds.setdefault(entry.name, AgentKind(entry.name, entry))
    return kinds


def make_agent(text: str, seed: int | None = None, programs: Collection[str] | None = None) -> Agent:
    """Makes an agent from its name and parameters, or one that is another program (`cloudict:/path/to/engine`).

    Examples:
        >>> make_agent("minimax:threats,depth=4").name
        'minimax:threats,depth=4'

    Args:
        text: the name and parameters.
        seed: for an agent that draws lots.
        programs: the other programs that may be named, by their whole text, also within other agents; None allows any,
            which is for the user himself and for nobody who speaks over a network.

    Raises:
        TengenError: if there is no such agent, a parameter makes no sense, or a program may not be named.
        OSError: if a file that it needs cannot be read.
    """
    text = _unwrapped(text.strip())
    if is_external(text):
        if programs is not None and text not in programs:
            raise TengenError(f"the program {text!r} may not be started from here; those allowed were named beforehand")
        return external_agent(text)
    name, _, rest = text.partition(":")
    kinds = agent_kinds()
    if name not in kinds:
        raise TengenError(f"{name!r} is no agent; there are {', '.join(kinds)}, and other programs")
    return kinds[name].make(_split_commas(rest), seed, programs)


def _parameter(hint: Any, parameter: inspect.Parameter) -> Parameter:
    explained, help = hint, ""
    if get_origin(hint) is Annotated:
        explained, *notes = get_args(hint)
        help = next((note for note in notes if isinstance(note, str)), "")
    if get_origin(explained) in (Union, types.UnionType):
        explained = next(kind for kind in get_args(explained) if kind is not type(None))
    is_required = parameter.default is inspect.Parameter.empty
    default = None if is_required else parameter.default
    is_positional = parameter.kind is not inspect.Parameter.KEYWORD_ONLY
    return Parameter(parameter.name, explained, help, default, is_required, is_positional)


def _value(agent: str, name: str, kind: Any, text: str, seed: int | None, programs: Collection[str] | None) -> Any:
    if kind in (Agent, Ranking):
        made = make_agent(text, seed, programs)
        if kind is Ranking and not isinstance(made, Ranking):
            raise TengenError(f"{agent}: {made.name} offers no moves with utilities")
        return made
    try:
        if kind is bool:
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[text.lower()]
        return kind(_unwrapped(text))
    except (KeyError, ValueError, TypeError):
        wanted = {int: "a whole number", float: "a number", bool: "yes or no"}.get(kind, "something else")
        raise TengenError(f"{agent}: {name} is {wanted}, not {text!r}") from None


def _unwrapped(text: str) -> str:
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _split_word(word: str) -> tuple[str, str, str]:
    """Name and value of a word; no name if the equals sign belongs to something in parentheses."""
    key, equals, text = word.partition("=")
    return (key.strip(), equals, text.strip()) if key.strip().replace("_", "").isalnum() else ("", "", word)


def _split_commas(text: str) -> list[str]:
    """The words between the commas that stand in no parentheses.

    Raises:
        TengenError: if the parentheses do not match.
    """
    words, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth < 0:
            break
        if letter == "," and depth == 0:
            words.append("")
        else:
            words[-1] += letter
    if depth:
        raise TengenError(f"the parentheses in {text!r} do not match")
    return [word.strip() for word in words if word.strip()]
