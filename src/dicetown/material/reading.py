"""From a TOML table to a structure of the model, or to a sentence that says why not.

msgspec finds what does not fit the model; this module says it in words a card's author can act on:
which file, which card, which field, and what would be accepted there.
"""

from __future__ import annotations

import re
import threading
import tomllib
from collections.abc import Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from dicetown.errors import MaterialError

T = TypeVar("T")

WORDS = {
    "int": "a whole number",
    "float": "a number with a point",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list in [ ]",
    "object": "a table in { }",
}
AT = " - at `$"
#: msgspec finds out about a type when it first reads one: two threads that do so at once crash the process.
_one_at_a_time = threading.Lock()


def read_toml(file: Traversable | Path, place: str | None = None) -> dict[str, Any]:
    """Return the tables of one file; ``place`` is what a sentence calls it, if not by its name."""
    place = place or file.name
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError:
        raise MaterialError(f"{place}: this file cannot be read; give the path of a TOML file.") from None
    except UnicodeDecodeError:
        raise MaterialError(f"{place}: this file is not UTF-8 text; save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as problem:
        raise MaterialError(f"{place}: this is not valid TOML: {_lower_first(str(problem))}.") from None


def read(kind: type[T], table: object, place: str) -> T:
    """Turn ``table`` into a structure of this kind; ``place`` opens the sentence if it is none."""
    try:
        with _one_at_a_time:
            return msgspec.convert(table, kind)
    except msgspec.ValidationError as problem:
        raise MaterialError(f"{place}: {_in_words(str(problem), kind, table)}.") from None
    except UnicodeEncodeError:  # bytes that a command was given
        raise MaterialError(f"{place}: there is a text that is not UTF-8; write it in letters.") from None


def listed(words: Iterable[object]) -> str:
    """Join the accepted values, as the end of a sentence.

    >>> listed(["blue", "green"])
    'blue, green'
    """
    return ", ".join(str(word) for word in words)


def _in_words(problem: str, kind: type, table: object) -> str:
    """Say msgspec's finding with the field's name and what would be accepted."""
    finding, _, path = problem.partition(AT)
    path = path.rstrip("`").lstrip(".")
    wanted = _type_at(inspect.type_info(kind), path, table)
    field = _field(path)
    if found := re.match(r"Object contains unknown field `(.*)`", finding):
        name = f"{path}.{found[1]}" if path else found[1]
        return f'there is no field "{name}"; known are {_accepted(wanted)}'
    if found := re.match(r"Object missing required field `(.*)`", finding):
        name = f"{path}.{found[1]}" if path else found[1]
        return f'the field "{name}" is missing'
    if found := re.match(r"Invalid (?:enum )?value '?(.*?)'?$", finding):
        return f'{field} is "{found[1]}", accepted are {_accepted(wanted)}'
    if found := re.match(r"Expected `int` (>=|<=) (\d+)", finding):
        return f"{field} must be {'at least' if found[1] == '>=' else 'at most'} {found[2]}"
    if found := re.match(r"Expected `(.*)`, got `(.*)`", finding):
        return f"{field} must be {_shapes(found[1])}, not {_shapes(found[2])}"
    return f"{field}: {_lower_first(finding)}"


def _field(path: str) -> str:
    """Name the field at a path; msgspec writes ``[...]`` for some entry of a table."""
    if path.endswith("[...]"):
        table = path.removesuffix("[...]")
        return f'each entry of "{table}"' if table else "each entry"
    return f'"{path}"' if path else "it"


def _shapes(names: str) -> str:
    shapes = [WORDS.get(name, name) for name in names.split(" | ") if name != "null"]
    return " or ".join(shapes) or "nothing"


def _type_at(wanted: inspect.Type, path: str, table: object) -> inspect.Type:
    """Find the type that the model wants at a path such as ``effect.per.of`` or ``rolls[1]``."""
    for step in re.findall(r"[^.\[\]]+", path):
        wanted = _chosen(wanted, table)
        if isinstance(wanted, inspect.StructType):
            if step == wanted.tag_field:
                return inspect.LiteralType(values=(wanted.tag,))
            wanted = next(field.type for field in wanted.fields if field.encode_name == step)
            table = table.get(step) if isinstance(table, dict) else None
        elif isinstance(wanted, inspect.UnionType):  # a union of tagged structures, and no known tag
            return wanted
        elif isinstance(wanted, inspect.DictType):
            wanted, table = wanted.value_type, None
        elif isinstance(wanted, inspect.VarTupleType):
            wanted = wanted.item_type
            table = table[int(step)] if isinstance(table, list) and step.isdigit() else None
    return _chosen(wanted, table)


def _chosen(wanted: inspect.Type, table: object) -> inspect.Type:
    """Choose, of several tagged structures, the one the table says it is; of an optional type, the type."""
    if not isinstance(wanted, inspect.UnionType):
        return wanted
    choices = [choice for choice in wanted.types if not isinstance(choice, inspect.NoneType)]
    tag = table.get("kind") if isinstance(table, dict) else None
    tagged = [c for c in choices if isinstance(c, inspect.StructType) and tag is not None and c.tag == tag]
    if tagged or len(choices) == 1:
        return (tagged or choices)[0]
    return wanted


def _accepted(wanted: inspect.Type) -> str:
    """Say what may stand where this type is wanted."""
    if isinstance(wanted, inspect.UnionType):
        return listed(_accepted_of_one(choice) for choice in wanted.types)
    if isinstance(wanted, inspect.StructType):
        names = [field.encode_name for field in wanted.fields]
        return listed([wanted.tag_field, *names] if wanted.tag_field else names)
    return _accepted_of_one(wanted)


def _accepted_of_one(choice: inspect.Type) -> str:
    if isinstance(choice, inspect.LiteralType):
        return listed(choice.values)
    if isinstance(choice, inspect.StructType):
        return str(choice.tag)
    return "a whole number"


def _lower_first(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
