"""Compiled code is kept under a fingerprint of its sources; nothing that is compiled may be missing in it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "dicetown"
MARK = "from dicetown.rules.kernel import"
MODULES = sorted([*PACKAGE.glob("bots/*.py"), *PACKAGE.glob("arena/*.py")])


def is_kernel(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(name, ast.Name) and name.id == "kernel"
        for decorator in node.decorator_list
        for name in ast.walk(decorator)
    )


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_kernels_use_comes_from_modules_in_the_fingerprint(module: Path) -> None:
    """A module is part of it if it imports from `dicetown.rules.kernel`, or belongs to the rules."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    kernels = [node for node in ast.walk(tree) if is_kernel(node)]
    used = {name.id for node in kernels for name in ast.walk(node) if isinstance(name, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dicetown."):
            source = PACKAGE.parent / (node.module or "").replace(".", "/")
            text = source.with_suffix(".py").read_text() if source.with_suffix(".py").exists() else ""
            if used & {alias.asname or alias.name for alias in node.names}:
                assert "rules" in source.parts or MARK in text, node.module
    if kernels:
        assert MARK in module.read_text(encoding="utf-8")
