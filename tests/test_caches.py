"""All results that visitors share are in one store, except few or small ones."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.covering import each
from tests.trees import nodes

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "viz", "pages", "rooms", "figures")
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]

FEW = {
    "core/measures/findings/__init__.py:entries": "two files in the folder of the collection",
    "core/measures/blocks/norms.py:read_shipped_losses": "the folder of the collection",
    "core/measures/gradients/distance.py:_before": "the distances of a list",
    "core/measures/translation/alignment.py:judged_by_place": "the test sentences",
    "core/measures/order/exchange.py:n_unseen": "the two questions",
    "core/measures/order/exchange.py:pairs": "the two questions",
    "core/measures/positions/extrapolation.py:verb_questions": "the distances of a list",
    "core/learning/collection/checkpoint_store.py:record_of": "members of the collection",
    "core/learning/evaluation/phenomena.py:baseline": "names of accuracies",
    "core/learning/evaluation/classification.py:evaluation_reviews": "kinds of reviews",
    "core/learning/evaluation/recall.py:baselines": "what the collection is measured on",
    "core/learning/tasks/task.py:chance": "the tasks",
    "core/programs/calling.py:_source_of": "the measures that programs call",
    "core/programs/showing.py:_whole": "the program files",
    "core/sources/pretrained.py:options": "configurations of the folders that are there",
    "core/text/language/sampling.py:_rest": "the rules of the grammar, for lengths that are drawn",
    "core/text/language/sampling.py:part_totals": "the rules of the grammar, for lengths that are drawn",
    "core/text/language/sampling.py:rule_totals": "the rules of the grammar, for lengths that are drawn",
    "pages/browser/first_page/__init__.py:_files": "the base path of the server",
    "pages/browser/first_page/__init__.py:_packed_page": "packed or not, below the base path of the server",
    "pages/home/pictures.py:address_of": "views and themes",
    "pages/lecture/listing.py:_pictures": "the themes",
    "pages/shell/http/files.py:file_response": "static files, packed or not",
    "pages/browser/component.py:component": "the scripts beside the pages",
    "figures/rendering/fonts.py:_measure": "the weights of a typeface",
    "figures/document/__init__.py:script": "the files beside it",
    "pages/lecture/player.py:_component": "the window of the hall, and that of the presenter",
}
"""Caches without a bound, with the few keys that they can have: no visitor can invent more."""

SMALL = {
    "core/text/translation/translating.py:translate": "words of a sentence of the language",
    "core/text/language/known.py:kind_of": "a word",
    "core/sources/by_hand.py:word_vector": "a few numbers",
    "core/measures/translation/alignment.py:cost": "two numbers",
    "core/learning/evaluation/translation.py:of_length": "some hundred sentences",
    "core/learning/evaluation/translation.py:_drawn": "some hundred sentences",
    "core/learning/evaluation/phenomena.py:evaluation_questions": "some hundred sentences",
    "core/learning/tasks/sentences.py:_written": "a batch of sentences",
    "core/learning/collection/checkpoint_store.py:_rows": "an index of the collection",
    "pages/shell/hub.py:_found": "what the hub says of a model",
    "pages/terms/spelled.py:term_of": "a term of the glossary",
    "figures/rendering/fonts.py:rule": "the letters of a figure, in the process that draws",
    "figures/rendering/outlines.py:_outline": "outlines of letters, in the process that draws",
    "core/measures/heads/compared.py:_permutations": "the orders of at most 8 heads",
    "core/model/positions/rotary.py:_turns": "two tables of a text's length by half the width of a head",
    "viz/text.py:_character_width": "a number",
    "core/pretrained/library.py:variant": "a model that shares the weights of another",
    "core/pretrained/library.py:found_folders": "the folders with a model, for a second",
    "core/pretrained/library.py:LRUCache(MOST_CHECKED)": "what each folder says, in a line",
    "core/measures/long_reading.py:_compute_layer": "one layer, which its reading counts",
    "core/measures/long_reading.py:_compute_head": "one head, which its reading counts",
    "core/measures/reading.py:heads_of": "one layer, which its reading counts",
}
"""Caches with a bound in entries beside the store, with the small size of an entry."""

OWN = {
    "core/sources/source.py:LRUCache(MOST_REGISTERED)": "visitors' models, which nobody computes again",
    "pages/contract/session_results.py:LRUCache(most)": "last results of sessions, some kilobytes each",
}
"""Things kept by entries that are not results."""

OF_ENTRIES = ("lru_cache", "LRUCache", "TTLCache", "cache_data", "cache_resource", "cachetools.cached")
"""Names of caches with a bound in entries, however large these are."""


def caches() -> Iterator[tuple[str, ast.FunctionDef, str]]:
    """Yield every cached function: its place, its definition, and its decorator."""
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef):
                name = f"{path.relative_to(ROOT).as_posix()}:{node.name}"
                yield from ((name, node, ast.unparse(one)) for one in node.decorator_list)


def is_unbounded(decorator: str) -> bool:
    """Return whether a cache keeps everything."""
    if decorator.startswith(("st.cache_data", "st.cache_resource")):
        return "max_entries" not in decorator
    return decorator in ("cache", "functools.cache") or "lru_cache(maxsize=None" in decorator


def test_an_unbounded_cache_has_few_keys() -> None:
    unbounded = {
        name for name, function, decorator in caches() if is_unbounded(decorator) and has_arguments(function)
    }
    assert unbounded == FEW.keys()


def kept_by_entries(module: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the caches by entries of a module: functions by their names, others by the line's first name."""
    decorated = set()
    for node in module:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                decorated |= {id(one) for one in ast.walk(decorator)}
                if _is_of_entries(decorator) and has_arguments(node):
                    yield node.name
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and _is_of_entries(node.func):
            decorated |= {id(one) for one in ast.walk(node.func)}
            yield ast.unparse(node.args[0]).removeprefix("self.")
        elif isinstance(node, ast.Call) and id(node) not in decorated and _is_of_entries(node):
            yield ast.unparse(node)


def _is_of_entries(made: ast.expr) -> bool:
    function = made.func if isinstance(made, ast.Call) else made
    return isinstance(function, ast.Name | ast.Attribute) and ast.unparse(function).endswith(OF_ENTRIES)


def test_results_that_can_be_large_are_in_the_one_store() -> None:
    found = {
        f"{path.relative_to(ROOT).as_posix()}:{name}"
        for path in FILES
        for name in kept_by_entries(nodes(path))
    }
    assert found == SMALL.keys() | OWN.keys()


@each(
    ("source", "kept"),
    [
        ("@lru_cache(maxsize=8)\ndef f(x): return x", ["f"]),
        ("@functools.lru_cache\ndef f(x): return x", ["f"]),
        ("@st.cache_data(max_entries=4)\ndef f(x): return x", ["f"]),
        ("self._kept = lru_cache(maxsize=1)(self._made)", ["_made"]),
        ("KEPT: LRUCache[str, int] = LRUCache(7)", ["LRUCache(7)"]),
        ("@stored\ndef f(x): return x", []),
        ("@remembered(saying='…')\ndef f(x): return x", []),
        ("from functools import lru_cache", []),
    ],
)
def test_a_cache_by_entries_is_noticed(source: str, kept: list[str]) -> None:
    assert list(kept_by_entries([*ast.walk(ast.parse(source))])) == kept


def has_arguments(function: ast.FunctionDef) -> bool:
    given = function.args
    return bool(given.args or given.kwonlyargs or given.vararg or given.kwarg)


@each(
    ("decorator", "expected"),
    [
        ("cache", True),
        ("lru_cache(maxsize=None)", True),
        ("st.cache_data(show_spinner=False)", True),
        ("st.cache_resource(max_entries=4)", False),
        ("lru_cache(maxsize=8)", False),
        ("remembered()", False),
    ],
)
def test_a_cache_without_a_bound_is_known_as_one(decorator: str, expected: bool) -> None:
    assert is_unbounded(decorator) is expected
