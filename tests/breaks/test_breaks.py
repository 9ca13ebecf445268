"""A break changes what it says and nothing else, and what notices it is found, in a project made here."""

import ast
import json
import re
from pathlib import Path

import pytest

from tests.breaks import running
from tests.breaks.__main__ import main
from tests.breaks.places import breaks, drawn
from tests.covering import each


def texts(source: str, file: str = "core/a.py") -> set[str]:
    """Return all that a module becomes when it is broken, without parentheses that change nothing."""
    return {ast.unparse(ast.parse(one.broken(source.encode()))) for one in breaks(source.encode(), file)}


@each(
    ("source", "expected"),
    [
        ("a < b", {"a > b"}),
        ("not a", {"a"}),
        ("x = (a - b) * 2", {"x = (a + b) * 2", "x = (a - b) / 2", "x = (a - b) * 3"}),
        ("n += k", {"n -= k"}),
        ("f(0.5)", {"f(1.0)"}),
        ("f(a, b)", {"f(b, a)"}),
        ("f(x=a, y=b)", {"f(x=b, y=a)"}),
        ("f(axis=-1)", {"f(axis=0)", "f(axis=-2)"}),
        ("x[i, j]", {"x[j, i]"}),
        ("x[:n]", {"x[:n + 1]"}),
        ("é = x.argmax()", {"é = x.argmin()"}),
        ("a if b else c", {"c if b else a"}),
        ("if a:\n    f()", {"if not a:\n    f()"}),
        ("def f(a, b):\n    return a, b", {"def f(a, b):\n    return (b, a)"}),
        ("lambda a: f'{a} of {b}'", {"lambda a: f'{b} of {b}'", "lambda a: f'{a} of {a}'"}),
        ("f'{a:{n + m}}'", {"f'{a:{n - m}}'"}),
    ],
)
def test_an_expression_is_broken_in_each_of_its_ways(source: str, expected: set[str]) -> None:
    assert texts(source) == expected


def test_a_value_is_returned_in_place_of_one_before_it_if_its_names_are_known_there() -> None:
    function = "def f(a):\n    if {}:\n        return {}\n    b = g()\n    return {}"
    assert texts(function.format("a", "0.0", "b")) == {
        function.format("not a", "0.0", "b"),
        function.format("a", "0.0", "0.0"),
    }


@each(
    "source",
    [
        '"""A page of 3."""\ndef f(a: Float[Tensor, "a b"] = None) -> tuple[A, B]:\n    """One of 2."""',
        "__all__ = [a + b]\nif TYPE_CHECKING:\n    f(1)\nassert a < b\nArrays = A | B",
        "_LOG.warning('%s', 1)\n@cached(max_entries=1)\ndef f():\n    g(seed=1)",
        "'a' + b\nf(a, a)\nisinstance(a, b)\nx = 4096",
    ],
)
def test_changes_without_effect_are_left_out(source: str) -> None:
    assert texts(source) == set()


def test_a_pixel_more_does_not_break_a_figure() -> None:
    assert texts("f(12, 0.5, 2)", "viz/a.py") == {"f(12, 0.5, 3)"}


def test_a_broken_file_is_still_python_and_another_program() -> None:
    path = Path(__file__).parents[1] / "skips.py"
    source = path.read_bytes()
    programs = [ast.dump(ast.parse(one.broken(source))) for one in breaks(source, path.name)]
    assert programs
    assert ast.dump(ast.parse(source)) not in programs


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with tests that leave something unnoticed."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    for folder in ("shop", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "shop" / "limits.py").write_text("MOST = 7\n")
    (tmp_path / "shop" / "prices.py").write_text(PRICES)
    (tmp_path / "tests" / "test_prices.py").write_text(TESTS)
    return tmp_path


PRICES = """
import os
from shop.limits import MOST

def total(prices, discount):
    n = min(len(prices), MOST)
    if n > len(prices):
        os.abort()
    return sum(prices) - discount

def label(n):
    return f"{n} left" if n else "none"

def unused(a, b):
    return a < b
"""
TESTS = """
from pathlib import Path
from shop.prices import label, total

def test_the_copy_is_the_original():
    assert label(2) and not Path(".git").is_symlink()

def test_a_discount_is_taken_off():
    assert total([5, 3], 2) == 6

def test_a_label_says_how_many():
    assert label(3) == "3 left"
"""


def test_breaks_are_drawn_evenly_and_stay_drawn_after_an_edit_elsewhere(project: Path) -> None:
    (project / "other").mkdir()
    (project / "other" / "a.py").write_text("\n".join(f"f({n})" for n in range(50)))
    before = drawn(4, 0, project)
    (project / "other" / "a.py").write_text("\n\n" + (project / "other" / "a.py").read_text())
    assert [one.file.split("/")[0] for one in before] == ["other", "other", "shop", "shop"]
    again, other = (drawn(4, seed, project) for seed in (0, 1))
    texts = [[(one.before, one.after) for one in some] for some in (before, again, other)]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.long("the tool that breaks code, on a small project")
def test_the_tests_that_notice_a_break_are_found_and_unnoticed_breaks_too(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running.FORKED.set_forkserver_preload(["pytest"])
    (project / "before.jsonl").write_text('["shop/prices.py:15  a < b  →  a > b", ["one", "two"]]\n')
    for command in (["map"], ["try", "--before", "before.jsonl"]):
        main(command, project)
    said, _, no_longer = capsys.readouterr().out.partition("\nNo longer noticed:\n")
    assert no_longer == "shop/prices.py:15  a < b  →  a > b  (before: one, of 2)\n"
    matrix = [json.loads(line) for line in (project / ".breaks" / "matrix.jsonl").read_text().splitlines()]
    assert sorted(len(tests) for _, tests in matrix) == [0, 0, 0, 1, 1, 1]
    assert "   3 by one test alone" in said
    assert "failed: tests/test_prices.py::test_the_copy_is_the_original" in said
    assert "   3 of   6   50%  in all" in said
    assert len(re.findall(r"prices.py:\d+ tests/test_prices.py::test_a_discount", said)) == 2
    unnoticed = said.partition("Not noticed:")[2]
    assert [line.partition("  ")[0] for line in unnoticed.split("\n") if line] == [
        *("shop/limits.py:1", "shop/prices.py:7", "shop/prices.py:15")
    ]
    assert "shop/limits.py:1  7  →  8  (2 of 2 tests)" in said
    assert "shop/prices.py:15  a < b  →  a > b  (2 of 2 tests)" in said
