"""The shape of the project, read from its source: who imports whom, who touches files, and that rules are data."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from scorekeeper import games

ROOT = Path(__file__).parent.parent
RUN_TIME = ("recognizer", "scorekeeper", "models", "web")

# Who may import which of the project's packages.
MAY_IMPORT = {
    "recognizer": {"recognizer"},
    "scorekeeper": {"scorekeeper"},
    "models": {"models"},
    "web": {"web", "recognizer", "scorekeeper", "models"},
}
OURS = {*RUN_TIME, "datasets", "tests"}
THROUGH_OTHERS = {"httptools"}  # uvicorn imports it where it is there
FOR_TRAINING = {"torch", "onnx", "moderngl", "datasets", "tests"}

# The modules that touch the world outside; all others of these two packages are pure.
TOUCHES_FILES = {
    *(
        "scorekeeper.log",
        "scorekeeper.whole",
        "scorekeeper.oracle",
        "scorekeeper.tables",
        "scorekeeper.openings",
        "scorekeeper.postgres",
        "scorekeeper.hearsay",
    ),
    *("recognizer.pictures", "recognizer.reader", "recognizer.model", "recognizer.frames"),
}
OUTSIDE = {
    *("os", "io", "pathlib", "shutil", "tempfile", "glob", "fileinput", "mmap", "sqlite3", "dbm", "shelve"),
    *("socket", "ssl", "http", "urllib", "subprocess", "multiprocessing", "threading", "asyncio", "signal"),
    *("sys", "time", "datetime", "random", "secrets", "uuid", "logging", "importlib"),
}
CALLS = {"open", "print", "input", "exec", "eval", "__import__", "compile"}
METHODS = {"read_text", "read_bytes", "write_text", "write_bytes", "unlink", "mkdir", "imread", "imwrite", "fromfile"}


def modules(*packages: str) -> list[str]:
    """Dotted names of the modules of these packages."""
    files = [file for package in packages for file in sorted((ROOT / package).rglob("*.py"))]
    return [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]


@cache
def tree(module: str) -> ast.Module:
    return ast.parse((ROOT / Path(*module.split("."))).with_suffix(".py").read_text("utf-8"))


def imports(source: ast.AST, package: str = "") -> Iterator[str]:
    """Dotted names of what is imported anywhere in the source, inside functions too."""
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = f"{package}.{node.module or ''}".strip(".") if node.level else node.module or ""
            yield from (f"{base}.{alias.name}" for alias in node.names)


def touches(source: ast.AST) -> set[str]:
    """What in the source reaches outside: modules imported, functions called."""
    found = {name.split(".")[0] for name in imports(source)} & OUTSIDE
    for node in ast.walk(source):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in CALLS:
                found.add(node.func.id)
            elif isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
                found.add(node.func.attr)
    return found


def asks_which_game(source: ast.AST) -> list[str]:
    """Comparisons of a rule set's key, or of anything with the key of a game that Kast knows."""
    found = []
    for node in ast.walk(source):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(_is_rules_key(part) or _is_game(part) for side in sides for part in _parts(side)):
                found.append(ast.unparse(node))
        elif isinstance(node, ast.Match):
            cases = [part for case in node.cases for part in ast.walk(case.pattern)]
            if _is_rules_key(node.subject) or any(_is_game(getattr(part, "value", None)) for part in cases):
                found.append(f"match {ast.unparse(node.subject)}")
    return found


def _parts(side: ast.expr) -> list[ast.expr]:
    return side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]


def _is_rules_key(node: object) -> bool:
    """`rules.key`, `game.rules.key`, `self.rules.key`."""
    if not isinstance(node, ast.Attribute) or node.attr != "key":
        return False
    owner = node.value
    return getattr(owner, "id", getattr(owner, "attr", "")) in {"rules", "rule_set", "ruleset"}


def _is_game(node: object) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in games.GAMES


@pytest.mark.parametrize("package", RUN_TIME)
def test_recognizer_and_scorekeeper_do_not_know_each_other_and_only_the_page_knows_both(package: str) -> None:
    for module in modules(package):
        foreign = {name.split(".")[0] for name in imports(tree(module), package)} & OURS
        assert foreign <= MAY_IMPORT[package], module


@pytest.mark.parametrize("package", RUN_TIME)
def test_nothing_at_run_time_imports_what_only_training_or_tests_need(package: str) -> None:
    assert modules(package)
    for module in modules(package):
        assert not {name.split(".")[0] for name in imports(tree(module), package)} & FOR_TRAINING, module


def test_everything_imported_at_run_time_is_declared_and_nothing_else_is() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    declared = {_plain(name) for line in lines for name in _named(line)}
    roots = {name.split(".")[0] for module in modules(*RUN_TIME) for name in imports(tree(module))}
    distributions = packages_distributions()
    foreign = roots - set(RUN_TIME) - sys.stdlib_module_names
    assert {_plain(distributions[name][0]) for name in foreign} | THROUGH_OTHERS == declared


def _named(requirement: str) -> list[str]:
    """The packages of “psycopg[binary,pool]>=3.2”: psycopg and, because it is imported by itself, psycopg-pool."""
    name, extras = re.fullmatch(r"([\w.-]+)(?:\[(.*)\])?[<>=!~ ].*", requirement).groups()  # type: ignore[union-attr]
    return [name, *(f"{name}-{extra}" for extra in (extras or "").split(",") if extra == "pool")]


def _plain(distribution: str) -> str:
    """The name as package indexes compare names."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


@pytest.mark.parametrize("package", RUN_TIME)
def test_no_module_of_a_package_imports_itself_by_a_detour(package: str) -> None:
    names = set(modules(package))
    graph = {
        module: {name for found in imports(tree(module), package) for name in (found, found.rpartition(".")[0])}
        & (names - {module})
        for module in names
    }
    assert list(TopologicalSorter(graph).static_order())  # CycleError says which


@pytest.mark.parametrize("module", [name for name in modules("scorekeeper", "recognizer") if name not in TOUCHES_FILES])
def test_only_the_named_modules_touch_files_clocks_or_the_net(module: str) -> None:
    assert not touches(tree(module))


def test_the_modules_named_for_touching_files_are_there() -> None:
    assert set(modules("scorekeeper", "recognizer")) >= TOUCHES_FILES


@pytest.mark.parametrize("module", modules(*RUN_TIME))
def test_no_module_asks_which_game_is_played(module: str) -> None:
    assert not asks_which_game(tree(module))


@pytest.mark.parametrize(
    "line",
    [
        'if rules.key == "house": pass',
        'if "yatzy" != game.rules.key: pass',
        'if self.rules.key in ("a", "b"): pass',
        'limit = 42 if key == "stratzy" else 63',
        'if key in ("maxi-yatzy", "other"): pass',
        "match rules.key:\n    case 'house': pass",
        "match key:\n    case 'superyatzy' | 'x': pass",
    ],
)
def test_a_question_which_game_is_played_would_be_found(line: str) -> None:
    assert asks_which_game(ast.parse(line))


@pytest.mark.parametrize("line", ['if box.key == "chance": pass', "if key not in GAMES: pass", 'names["yatzy"]'])
def test_other_questions_are_no_question_which_game_is_played(line: str) -> None:
    assert not asks_which_game(ast.parse(line))


@pytest.mark.parametrize(
    "line",
    [
        "import os.path",
        "from pathlib import Path",
        "def f():\n    import sqlite3",
        "with open('x') as file: pass",
        "path.read_text()",
        "from datetime import datetime",
    ],
)
def test_a_touch_of_the_world_outside_would_be_found(line: str) -> None:
    assert touches(ast.parse(line))


def test_an_import_in_any_form_would_be_found() -> None:
    forms = "import a.b\nfrom c import d\ndef f():\n    from . import e\n    from .g import h"
    assert set(imports(ast.parse(forms), "web")) == {"a.b", "c.d", "web.e", "web.g.h"}
