"""Numbers as CSV."""

import csv
from io import StringIO

import pandas as pd

from figures import numbers
from tests.covering import each
from tests.figures.made_up import HOSTILE


def read(written: bytes) -> list[list[str]]:
    assert written.startswith(b"\xef\xbb\xbf"), "the mark by which Excel knows it"
    return list(csv.reader(StringIO(written.decode("utf-8-sig"), newline="")))


@each("begins", ["=1+1", "+1", "-1", "@A1", "\tx", "\rx", "\nx", "＝1", HOSTILE])
def test_a_text_never_becomes_a_formula(begins: str) -> None:
    table = pd.DataFrame({begins: [begins, 2]}, index=pd.Index(["row", begins], name=begins))

    heads, first, second = read(numbers.csv(table))

    assert heads == [f"'{begins}", f"'{begins}"]
    assert first == ["row", f"'{begins}"]
    assert second == [f"'{begins}", "2"]


def test_numbers_stay_numbers_in_full() -> None:
    table = pd.DataFrame({"mixed": [-3, "word", -0.1], "share": [0.1 + 0.2, -1.5e-300, float("nan")]})

    assert read(numbers.csv(table)) == [
        ["mixed", "share"],
        ["-3", "0.30000000000000004"],
        ["word", "-1.5e-300"],
        ["-0.1", ""],
    ]


def test_an_index_without_a_name_is_left_out_and_one_with_names_kept() -> None:
    nameless = pd.DataFrame({"a": [1]})
    named = nameless.set_index(pd.MultiIndex.from_tuples([("Zuko", 2)], names=["query", "key"]))

    assert read(numbers.csv(nameless)) == [["a"], ["1"]]
    assert read(numbers.csv(named)) == [["query", "key", "a"], ["Zuko", "2", "1"]]
