"""Whatever is kept between two visitors has a bound: in entries, in bytes, or as few things can be asked."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.covering import each

ROOT = Path(__file__).parents[1]
FILES = [
    path for folder in ("core", "viz", "pages", "rooms") for path in sorted((ROOT / folder).rglob("*.py"))
]

FEW = {
    "core/measures/classification/forgetting.py:asked_about": "asked with one number alone",
    "core/measures/findings/__init__.py:_entries": "the folder of the collection",
    "core/measures/blocks/trainings.py:measured": "the folder of the collection",
    "core/measures/gradients/networks.py:_before": "the distances of a list",
    "core/measures/translation/scoring.py:judged_by_place": "the test sentences",
    "core/measures/order/exchange.py:n_unseen": "the two questions",
    "core/measures/order/exchange.py:pairs": "the two questions",
    "core/measures/positions/extrapolation.py:verb_questions": "the distances of a list",
    "core/learning/collection/checkpoint_store.py:record_of": "members of the collection",
    "core/learning/evaluation/baselines.py:baseline": "names of accuracies",
    "core/learning/evaluation/classification.py:asked_about": "kinds of reviews",
    "core/learning/evaluation/recall.py:baselines": "what the collection is measured on",
    "core/learning/tasks/chance.py:chance": "the tasks",
    "core/sources/options.py:options": "configurations of the folders that are there",
    "core/text/language/lengths.py:_rest": "the rules of the grammar, for lengths that are drawn",
    "core/text/language/lengths.py:part_totals": "the rules of the grammar, for lengths that are drawn",
    "core/text/language/lengths.py:rule_totals": "the rules of the grammar, for lengths that are drawn",
    "pages/controls/first_page.py:_packed_page": "packed or not",
    "pages/home/pictures.py:address_of": "views and themes",
    "pages/lecture/listing.py:_pictures": "the themes",
    "pages/shell/printed.py:_component": "the scripts beside the pages",
    "pages/lecture/player.py:_component": "the window of the hall, and that of the presenter",
}
"""Caches without a bound, and the few things that can be asked of them: no visitor makes them up."""


def caches() -> Iterator[tuple[str, ast.FunctionDef, str]]:
    """Every function that is remembered: where it is, what it is, and how."""
    for path in FILES:
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if "cache" in source else ():
            if isinstance(node, ast.FunctionDef):
                name = f"{path.relative_to(ROOT).as_posix()}:{node.name}"
                yield from ((name, node, ast.unparse(one)) for one in node.decorator_list)


def is_unbounded(decorator: str) -> bool:
    """Whether it keeps all that it is ever asked for."""
    if decorator.startswith(("st.cache_data", "st.cache_resource")):
        return "max_entries" not in decorator
    return decorator in ("cache", "functools.cache") or "lru_cache(maxsize=None" in decorator


def test_what_keeps_everything_can_be_asked_for_few_things() -> None:
    unbounded = {
        name for name, function, decorator in caches() if is_unbounded(decorator) and has_arguments(function)
    }
    assert unbounded == FEW.keys()


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
