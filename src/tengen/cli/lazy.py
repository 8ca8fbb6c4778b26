"""Commands that are loaded when they are called: all of them together take longer to load than most to answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

HELP_OPTIONS = ["-h", "--help"]
_NAMES_OF_TYPES = {
    "<int>": "N",
    "<int range>": "N",
    "<float>": "NUMBER",
    "<float range>": "NUMBER",
    "<str>": "TEXT",
}
Panels = Mapping[str, Mapping[str, str]]
"""By the title of a panel, what its commands do in a few words. A command `x` is `x` in `tengen.cli.x`."""


class LazyGroup(TyperGroup):
    """A group that knows its commands by their names and a few words, until one is called."""

    panels: ClassVar[Panels] = {}

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for panel, commands in self.panels.items():
            for name, about in commands.items():
                self.add_command(TyperCommand(name, help=about, rich_help_panel=panel))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, loaded."""
        if args and args[0] in self.commands:
            self.load(args[0])
        return super().resolve_command(ctx, args)

    def load(self, name: str) -> None:
        """Loads a command in place of what was said of it."""
        found = getattr(import_module(f"tengen.cli.{name}"), name)
        part = typer.Typer(rich_markup_mode=self.rich_markup_mode)
        if isinstance(found, typer.Typer):
            part.add_typer(found, name=name)
        else:
            part.command(name)(found)
        self.commands[name] = get_group(part).commands[name]
        _speak_plainly(self.commands[name])

    def load_all(self) -> None:
        """Loads all commands, for whoever describes them."""
        for name in list(self.commands):
            self.load(name)


def _speak_plainly(command: Any) -> None:
    """Has the help of a command, and of those below it, name things as people do.

    Typer tells the type of everything: `<bool>` of a flag, `<list[str]>` of what is called POSITION.
    """
    context = typer.Context(command, help_option_names=HELP_OPTIONS)
    command.get_help_option(context)  # made now, it is kept
    for parameter in (*command.params, getattr(command, "_help_option", None)):
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        elif getattr(parameter, "param_type_name", None) == "argument":
            parameter.display_type_rich = _no_type
            parameter._usage_display_name = partial(_name_in_usage, parameter)
        elif hasattr(parameter, "display_type_rich") and parameter.metavar is None:
            parameter.metavar = _NAMES_OF_TYPES.get(parameter.display_type_rich(context))
    for below in getattr(command, "commands", {}).values():
        _speak_plainly(below)


def _no_type(ctx: Any) -> None:
    return None


def _name_in_usage(argument: Any) -> str:
    """An argument in the line of usage: POSITION..., or [POSITION]... if it may be left out."""
    name = argument.metavar or argument.name.upper()
    has_dots = name.endswith(("...", "…", "]")) or "... " in name
    dots = "" if argument.nargs == 1 or has_dots else "..."
    return f"{name}{dots}" if argument.required or name.startswith("[") else f"[{name}]{dots}"


def lazy_group(panels: Panels) -> type[LazyGroup]:
    """A group of such commands."""
    return type("Group", (LazyGroup,), {"panels": panels})
