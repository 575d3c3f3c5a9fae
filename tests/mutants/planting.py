"""Faults to plant in the rules: small changes of their text, one at a time.

A mutant is a function of `src/dicetown/rules` with one comparison, number, operator or statement changed. It
is planted in a running process by giving the function another code object, so that whoever has imported the
function runs the changed one, and nothing is written to disk. Constants of modules are not changed: they are
names of codes, and tables that tests compare as they stand.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType

RULES = Path(__file__).parents[2] / "src" / "dicetown" / "rules"
#: Makes twins; it says nothing about the game.
_NO_RULES = ("kernel.py",)

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """One change, called by where it is and what it does: names that outlive a shift of lines."""

    module: str
    function: str
    line: int
    text: str  # the line, as it stands
    change: str
    number: int = 1  # of those that are called the same

    @property
    def key(self) -> str:
        """What it is called in files."""
        again = f" ({self.number})" if self.number > 1 else ""
        return f"{self.module}.{self.function} | {self.text} | {self.change}{again}"


#: What changes the tree, and what it is called.
Change = tuple[ast.AST, str, Callable[[], None]]


def sources() -> list[Path]:
    """The modules whose faults are planted."""
    return [path for path in sorted(RULES.glob("*.py")) if path.name not in _NO_RULES]


def find_mutants(path: Path) -> list[Mutant]:
    """All mutants of a module, in the order of its lines."""
    return [mutant for mutant, _ in _changes(path, ast.parse(path.read_text(encoding="utf-8")))]


def plant(path: Path, wanted: Mutant) -> int:
    """Let every function that the mutant is of run its code from now on; returns how many there were."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    change = next(change for mutant, change in _changes(path, tree) if mutant == wanted)
    change()
    _forget_what_was_reckoned()
    changed = compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)
    code = next(code for code in _codes_in(changed) if code.co_qualname == wanted.function)
    running = [
        one
        for one in gc.get_objects()
        if type(one) is FunctionType  # isinstance would ask what a weak reference leads to, which may be gone
        and one.__code__.co_filename == str(path)
        and one.__code__.co_qualname == wanted.function
    ]
    for function in running:
        function.__code__ = code
    return len(running)


def _forget_what_was_reckoned() -> None:
    """What the sound rules have reckoned and kept says nothing about the mutant."""
    for one in gc.get_objects():
        if type(one) is _lru_cache_wrapper and getattr(one, "__module__", "").startswith("dicetown."):
            one.cache_clear()


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes_in(constant)


# ------------------------------------------------------------------------------ the changes


def _changes(path: Path, tree: ast.Module) -> Iterator[tuple[Mutant, Callable[[], None]]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    met: dict[tuple[str, str, str], int] = {}
    for name, function in _functions(tree, ""):
        found = sorted(
            _changes_of(function), key=lambda one: (_line(one[0]), getattr(one[0], "col_offset", 0))
        )
        for node, change, apply in found:
            text = lines[_line(node) - 1].strip()
            called = (name, text, change)
            met[called] = met.get(called, 0) + 1
            yield Mutant(path.stem, name, _line(node), text, change, met[called]), apply


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 1))


def _functions(tree: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The outermost functions and methods; what is defined inside one belongs to it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")


def _changes_of(function: ast.FunctionDef) -> Iterator[Change]:
    """Changes of a function's body: what stands in its signature or on top of it is no rule."""
    yield from _removals(function)
    for statement in function.body:
        yield from _within(statement)


def _within(node: ast.AST) -> Iterator[Change]:
    """Changes of a node and of all below it, words aside: sentences are other tests' matter."""
    if isinstance(node, ast.JoinedStr | ast.Raise):
        return
    yield from _of_expression(node)
    for child in ast.iter_child_nodes(node):
        annotates = isinstance(node, ast.AnnAssign) and child is node.annotation
        if not annotates and not _fills_an_event(node, child):
            yield from _within(child)


def _fills_an_event(node: ast.AST, child: ast.AST) -> bool:
    """Whether this is one of the zeros in the places of an event that nobody reads."""
    match node, child:
        case ast.Call(func=ast.Name(id="tell" | "write_down")), ast.Constant(value=0):
            return True
    return False


def _of_expression(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare():
            for place, sign in enumerate(node.ops):
                yield _swapped(
                    node, lambda op, at=place: node.ops.__setitem__(at, op), _COMPARED[type(sign)]()
                )
        case ast.BoolOp():
            yield _swapped(node, lambda op: setattr(node, "op", op), _other_of_two(node.op))
        case ast.UnaryOp(op=ast.Not()):
            twice = ast.UnaryOp(ast.Not(), node.operand)
            yield _swapped(node, lambda operand: setattr(node, "operand", operand), twice)
        case ast.BinOp() | ast.AugAssign() if type(node.op) in _RECKONED:
            yield _swapped(node, lambda op: setattr(node, "op", op), _RECKONED[type(node.op)]())
        case ast.Constant(value=bool()):
            yield _swapped(node, lambda value: setattr(node, "value", value), not node.value)
        case ast.Constant(value=int(number)):
            for step in (1, -1):
                yield _swapped(node, lambda value: setattr(node, "value", value), number + step)


def _other_of_two(op: ast.boolop) -> ast.boolop:
    return ast.Or() if isinstance(op, ast.And) else ast.And()


def _swapped(node: ast.AST, put: Callable[..., object], new: object) -> Change:
    """A change that puts something else in a place; it is called by how the text reads before and after."""
    before = ast.unparse(node)
    kept = {name: list(value) if isinstance(value, list) else value for name, value in ast.iter_fields(node)}
    put(new)
    after = ast.unparse(ast.fix_missing_locations(node))
    for name, value in kept.items():
        setattr(node, name, value)
    return node, f"{before} → {after}", lambda: (put(new), None)[1]


def _removals(function: ast.FunctionDef) -> Iterator[Change]:
    """Statements left out; not those without which a name would be unknown, which anything notices."""
    for node in ast.walk(function):
        for _, block in ast.iter_fields(node):
            if isinstance(block, list):
                for place, statement in enumerate(block):
                    if _can_go(statement):
                        first = ast.unparse(statement).splitlines()[0]
                        yield statement, f"without: {first}", _left_out(block, place)


def _left_out(block: list[ast.stmt], place: int) -> Callable[[], None]:
    return lambda: block.__setitem__(place, ast.Pass())


def _can_go(statement: ast.AST) -> bool:
    match statement:
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.If() | ast.Continue() | ast.Break():
            return True
        case ast.Return(value=None):
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
    return False
