"""Imports follow the arrows of the drawing in docs/architecture.md."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path
from tomllib import loads as toml

import pytest

from pages import GROUPS
from tests.covering import each
from tests.trees import nodes

ROOT = Path(__file__).parents[1]

FORBIDDEN = {
    "core": {"streamlit", "plotly", "viz", "pages", "figures", "attention_lab", "app"},
    "viz": {"torch", "streamlit", "core", "pages", "figures", "attention_lab", "app"},
    "pages": {"torch", "plotly", "figures", "attention_lab", "deploy", "app"},
    "figures": {"torch", "streamlit", "attention_lab", "rooms", "deploy", "app"},
    "attention_lab": {"streamlit", "pages", "deploy", "bench", "app"},
    "rooms": {"torch", "streamlit", "plotly", "core", "viz", "pages", "figures", "deploy", "app"},
    "access": {"torch", "streamlit", "plotly", "core", "viz", "pages", "figures", "rooms", "deploy", "app"},
    "deploy": {"torch", "plotly", "core", "viz", "pages", "figures"},
}
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
FRAME_MAY_IMPORT = {"access", "streamlit", "pages", "figures", "rooms"} | sys.stdlib_module_names


def imported(source: str, package: str = "") -> Iterator[str]:
    """Full names of the modules that `source`, a module of `package`, imports anywhere in it."""
    return named(importing(source), package)


IMPORTING = ast.Import | ast.ImportFrom | ast.Call
"""Kinds of nodes that may import a module."""


def importing(source: str) -> tuple[ast.AST, ...]:
    """Return the nodes of `source` that may import a module."""
    return tuple(node for node in ast.walk(ast.parse(source)) if isinstance(node, IMPORTING))


def named(nodes: Collection[ast.AST], package: str) -> Iterator[str]:
    """Full names of the modules that these import, which stand in a module of `package`."""
    for node in nodes:
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, level=0):
                yield str(module)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package.split(".")[: len(package.split(".")) - level + 1]
                yield from (".".join([*above, *filter(None, [module, alias.name])]) for alias in names)
            case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]) if _is_import(function):
                yield name


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return the nodes of a file that may import; it is read once for all tests."""
    return tuple(node for node in nodes(path) if isinstance(node, IMPORTING))


@cache
def imports_of(path: Path, package: str) -> tuple[str, ...]:
    """Full names of the modules that a file imports."""
    return tuple(named(nodes_of(path), package))


def _is_import(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("import_module", "__import__")


def strays(folder: Path, forbidden: set[str]) -> list[str]:
    """Return the forbidden imports of files below `folder`, as `path: module`."""
    return [
        f"{path.relative_to(folder.parent)}: {module}"
        for path in sorted(folder.rglob("*.py"))
        for module in imports_of(path, ".".join(path.relative_to(folder.parent).parent.parts))
        if module.split(".")[0] in forbidden
    ]


@each("folder", FORBIDDEN)
def test_a_folder_imports_only_what_it_may_know(folder: str) -> None:
    assert list((ROOT / folder).rglob("*.py")), f"{folder} is empty"
    assert strays(ROOT / folder, FORBIDDEN[folder]) == []


def drawn_arrows() -> set[tuple[str, str]]:
    """Return the arrows of the drawing in docs/architecture.md, as pairs of folders."""
    drawing = re.findall(r"```mermaid\n(.*?)```", ARCHITECTURE, re.DOTALL)[0]
    chains = [line.split(" --> ") for line in drawing.splitlines()[1:]]
    return {pair for chain in chains for pair in pairwise(name.strip() for name in chain)}


def test_the_drawing_of_the_architecture_shows_what_the_folders_import() -> None:
    arrows = drawn_arrows()
    folders = {name for arrow in arrows for name in arrow}
    drawn = {folder: {end for start, end in arrows if start == folder} for folder in folders}
    files = {name: sorted((ROOT / name).rglob("*.py")) or [ROOT / f"{name}.py"] for name in folders}
    imports = {
        name: {module.split(".")[0] for path in files[name] for module in imports_of(path, "")} & folders
        for name in folders
    }
    assert folders == {*FORBIDDEN, "app", "bench", "words"}
    assert [arrow for arrow in sorted(arrows) if arrow[1] not in imports[arrow[0]]] == []
    assert [name for name in sorted(folders) if imports[name] - reached([name], drawn)] == []


def test_the_table_of_the_architecture_names_what_the_folders_must_not_import() -> None:
    rows = re.findall(r"^\| `(\w+)/` \|.*\| ([^|]+) \|$", ARCHITECTURE, re.MULTILINE)
    libraries = {"PyTorch": "torch", "Streamlit": "streamlit", "Plotly": "plotly"}
    named = {folder: set(re.findall(r"[\w]+(?=[,/`]|$| and)", said)) - {"and"} for folder, said in rows}
    said = {folder: {libraries.get(name, name) for name in names} for folder, names in named.items()}
    assert said == {folder: FORBIDDEN[folder] & said[folder] for folder in FORBIDDEN}


def test_the_frame_imports_only_streamlit_and_what_it_mounts() -> None:
    names = {module.split(".")[0] for module in imported((ROOT / "app.py").read_text("utf-8"))}
    assert names - FRAME_MAY_IMPORT == set()


def module_of(path: Path) -> str:
    """Return the name under which a file is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def graph() -> dict[str, set[str]]:
    """Return the modules that each of our modules imports, anywhere in it, also inside functions."""
    files = {module_of(path): path for folder in FORBIDDEN for path in (ROOT / folder).rglob("*.py")}
    return {name: set(_imported_modules(path, files)) - {name} for name, path in files.items()}


def _imported_modules(path: Path, files: Collection[str]) -> Iterator[str]:
    for node in nodes_of(path):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in files)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for alias in names:
                    deeper = f"{module}.{alias.name}"
                    yield from [name for name in (deeper, module) if name in files][:1]
            case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]) if _is_import(function):
                yield from [name] if name in files else []


def cycle(imports: Mapping[str, set[str]]) -> list[str]:
    """Return the modules of a cycle among imports; empty if there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_module_imports_itself_through_others() -> None:
    assert cycle(graph()) == []


def test_a_cycle_is_found() -> None:
    assert set(cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


def test_words_for_numbers_know_nothing_but_python() -> None:
    """So every folder may import them."""
    roots = _roots(ROOT / "words.py")
    assert roots - sys.stdlib_module_names == set()


def reached(starts: Collection[str], imports: Mapping[str, set[str]]) -> set[str]:
    """Return the modules that are loaded with these, packages included."""
    found: set[str] = set()
    new = list(starts)
    while new:
        name = new.pop()
        if name not in found:
            found.add(name)
            new += [*imports[name], *({name.rpartition(".")[0]} & imports.keys())]
    return found


def test_figures_and_notebooks_need_no_streamlit() -> None:
    """Views among it, which figures import by the names of their pages."""
    imports = graph()
    views = [f"pages.{entry.folder}" for entries in GROUPS.values() for entry in entries]
    starts = [name for name in imports if name.split(".")[0] in ("figures", "attention_lab")]
    loaded = reached([*views, *starts], imports)
    files = {module_of(path): path for folder in FORBIDDEN for path in (ROOT / folder).rglob("*.py")}
    assert [name for name in sorted(loaded) if "streamlit" in _roots(files[name])] == []


def test_the_packages_that_are_installed_are_the_folders_of_the_app() -> None:
    said = toml((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    named = {pattern.removesuffix("*") for pattern in said["packages"]["find"]["include"]}
    assert all((ROOT / name / "__init__.py").is_file() for name in named)
    imports = graph()
    loaded = reached([name for name in imports if name.partition(".")[0] == "attention_lab"], imports)
    folders = {name.partition(".")[0] for name in loaded}
    assert {"core", "figures", "pages", "viz"} <= folders <= named
    assert said["py-modules"] == ["words"]


def _roots(path: Path) -> set[str]:
    return {module.split(".")[0] for module in imports_of(path, "")}


def test_indirect_imports_are_found() -> None:
    assert reached(["a"], {"a": {"b.c"}, "b": {"d"}, "b.c": set(), "d": set()}) == {"a", "b.c", "b", "d"}


@pytest.mark.long("a library that loads one of them: what our own files say is read by the other tests")
@pytest.mark.parametrize("folder", ["core", "viz", "rooms"])
def test_a_folder_does_not_load_forbidden_modules_indirectly(folder: str) -> None:
    files = [path.relative_to(ROOT).with_suffix("") for path in sorted((ROOT / folder).rglob("*.py"))]
    modules = [".".join(file.parts).removesuffix(".__init__") for file in files]
    unwanted = FORBIDDEN[folder]
    code = f"import sys, {', '.join(modules)}; print(*{unwanted!r} & set(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    # The programs that pages show print their own results before.
    assert loaded.stdout.splitlines()[-1].split() == []


@each(
    "line",
    [
        "import json, streamlit.components.v2 as components",
        "def late():\n    if True:\n        from streamlit import fragment",
        "from importlib import import_module\nimport_module('streamlit')",
        "import importlib\nimportlib.import_module('streamlit.web')",
        "__import__('streamlit.testing')",
        "from ... import streamlit",
        "from ...streamlit import fragment",
    ],
)
def test_an_import_is_found_however_it_is_written(line: str) -> None:
    assert "streamlit" in {module.split(".")[0] for module in imported(line, "core.deep")}


def test_a_name_that_only_begins_like_a_forbidden_one_is_allowed() -> None:
    source = "import streamlit_like\nfrom .streamlit import x\nfrom core import streamlit"
    assert "streamlit" not in {module.split(".")[0] for module in imported(source, "core")}


STOREYS = ("model", "text", "pretrained", "decoding", "learning", "sources", "measures", "live", "programs")
"""The folders of `core`, each built on the earlier ones; all may use the files in `core` itself."""


def storey(module: str) -> int:
    """Return the number of the storey of a module of `core`, from 1; 0 for a file in `core` itself.

    Raises ValueError for a folder that is not in STOREYS.
    """
    folder = module.split(".")[1]
    return STOREYS.index(folder) + 1 if (ROOT / "core" / folder).is_dir() else 0


def test_core_is_built_upwards() -> None:
    above = [
        f"{name}: {module}"
        for path in sorted((ROOT / "core").rglob("*.py"))
        for name in [".".join(path.relative_to(ROOT).with_suffix("").parts)]
        for module in imports_of(path, name.rpartition(".")[0])
        if module.split(".")[0] == "core" and storey(module) > storey(name)
    ]
    assert above == []


LOADERS = {"checkpoints", "load", "read", "read_record", "record_of", "shelf", "take", "take_probe"}
"""Functions and modules of `core.learning` and `core.pretrained` that load models or their records."""


def loads(nodes: Collection[ast.AST]) -> list[str]:
    """Return the imports of a module that load models: non-types of `core.sources`, elsewhere `LOADERS`."""
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    pairs = [(str(node.module), alias.name) for node in froms for alias in node.names]
    return [f"{module}.{name}" for module, name in pairs if _is_loader(module, name)]


def _is_loader(module: str, name: str) -> bool:
    if (module, name) == ("core", "sources"):
        return True
    if module.startswith("core.sources"):
        return not inspect.isclass(getattr(importlib.import_module(module), name, None))
    return name in LOADERS and module.startswith(("core.learning", "core.pretrained"))


def test_measures_take_models_and_never_load_them() -> None:
    """The findings are an exception: they measure the collection on the command line."""
    files = sorted((ROOT / "core" / "measures").rglob("*.py"))
    measures = [path for path in files if path.parent.name != "findings"]
    assert [(path.name, name) for path in measures for name in loads(nodes_of(path))] == []


@each(
    "line",
    [
        "from core.sources import LoadedModel, load",
        "from core import sources",
        "from core.sources import random_weights",
        "from core.sources.trained import load_member",
        "from core.learning.collection import take",
        "from core.learning.checkpoints import load as load_checkpoint",
    ],
)
def test_a_loading_import_is_noticed(line: str) -> None:
    assert len(loads(importing(line))) == 1
    assert loads(importing("from core.sources import LoadedModel, UnavailableError")) == []
