"""The ``dicetown`` command: it mounts :mod:`dicetown.commands`, and says in one sentence what went wrong."""

from __future__ import annotations

import ast
import os
import sys
from importlib import import_module
from importlib.resources import files
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from dicetown import __version__, commands
from dicetown.errors import DicetownError

# What a mistake in the command line raises; Typer gives the class no public name.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


class _Command(TyperCommand):
    """A command by its name; its module is imported when it is called, or asked for its help."""

    def make_context(self, *where: Any, **settings: Any) -> Any:
        """The context of the command as its module declares it, which is what Typer goes on with."""
        return declared(str(self.name)).make_context(*where, **settings)


def declared(name: str) -> Any:
    """A command with its help and its options, as its module declares them."""
    module = import_module(f"{commands.__name__}.{name}")
    if parts := getattr(module, "parts", None):  # a command with parts of its own: `train champion`
        return typer.main.get_command(parts)
    alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
    alone.command(name)(module.run)
    return typer.main.get_command(alone)


class _Commands(TyperGroup):
    """All commands; each is listed with the first line of what it says about itself."""

    def format_help(self, *where: Any) -> None:
        """Read the lines where they stand, since importing all commands would take seconds."""
        for name, command in self.commands.items():
            source = files(commands).joinpath(f"{name}.py").read_text(encoding="utf-8")
            run = next(part for part in ast.parse(source).body if getattr(part, "name", "") == "run")
            assert isinstance(run, ast.FunctionDef)
            command.help = ast.get_docstring(run)
        super().format_help(*where)


app = typer.Typer(
    name="dicetown",
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name in commands.COMMANDS:
    app.command(_name, cls=_Command)(lambda: None)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"dicetown {__version__}")
        raise typer.Exit


@app.callback()
def dicetown(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Machi Koro as software: play it, replay it, simulate it.

    Begin with: [bold]dicetown play[/bold]
    """


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command; a mistake is one sentence on stderr and status 2."""
    _accept_any_text()
    try:
        status = app(arguments, prog_name="dicetown", standalone_mode=False)
        sys.stdout.flush()
    except DicetownError as problem:
        _refuse(str(problem))
    except _UsageError as problem:
        if sentence := _sentence_of(problem):
            _refuse(sentence)
        sys.exit(2)  # no command was named, and the help has been shown
    except typer.Abort:
        sys.exit(1)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(status or 0)


def _refuse(sentence: str) -> NoReturn:
    print(f"dicetown: {sentence}", file=sys.stderr)
    sys.exit(2)


def _sentence_of(problem: Exception) -> str:
    """What is wrong with the command line, and where the right way is explained."""
    context = getattr(problem, "ctx", None)
    command = context.command_path if context else "dicetown"
    message = str(problem.format_message() if hasattr(problem, "format_message") else problem).strip()
    if not message:
        return ""
    stop = "" if message[-1] in ".?!" else "."
    return f"{message}{stop} {command} --help shows what is accepted."


def _accept_any_text() -> None:
    """Letters that a terminal cannot show, or a pipe cannot bring, are replaced and break nothing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
