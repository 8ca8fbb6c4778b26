"""Commands that are loaded when they are called: all of them together take longer to load than most to answer."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

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

    def load_all(self) -> None:
        """Loads all commands, for whoever describes them."""
        for name in list(self.commands):
            self.load(name)


def lazy_group(panels: Panels) -> type[LazyGroup]:
    """A group of such commands."""
    return type("Group", (LazyGroup,), {"panels": panels})
