"""The table of memory has a line for each thing measured."""

from bench.memory import table


def test_megabytes_are_whole_numbers_from_ten_on() -> None:
    assert table({"process after its start": 508.4, "each page": 1.26}) == (
        "| one process of the app | MB |\n|---|---:|\n"
        "| process after its start | 508 |\n| each page | 1.3 |\n"
    )
