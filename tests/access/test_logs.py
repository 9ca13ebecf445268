"""Records of a process hold nothing that was typed, and errors are counted."""

import io
import json
import logging
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from access.logs import ERRORS, LOGS, keep_private

TYPED = "what somebody typed"


@pytest.fixture(autouse=True)
def factory() -> Iterator[None]:
    before = logging.getLogRecordFactory()
    yield
    logging.setLogRecordFactory(before)


@pytest.fixture
def written() -> Iterator[Callable[[], str]]:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    logger = logging.getLogger("tests.private")
    logger.addHandler(handler)
    yield out.getvalue
    logger.removeHandler(handler)


def fail() -> None:
    try:
        raise KeyError(TYPED)
    except KeyError as error:
        raise ValueError(f"not {TYPED}") from error


def log_failure() -> None:
    try:
        fail()
    except ValueError as error:
        logging.getLogger("tests.private").error("Uncaught app execution", exc_info=error)


def test_a_traceback_has_frames_and_kinds_and_no_message(written: Callable[[], str]) -> None:
    keep_private({})
    log_failure()
    text = written()
    assert "Uncaught app execution" in text
    assert "in fail" in text
    assert text.index("KeyError") < text.index("ValueError")
    assert f"'{TYPED}'" not in text
    assert f"not {TYPED}" not in text


def test_records_are_lines_of_json_if_asked(written: Callable[[], str]) -> None:
    keep_private({LOGS: "json"})
    logging.getLogger("tests.private").warning("%s files", 7)
    log_failure()
    first, second = map(json.loads, written().splitlines())
    assert (first["level"], first["logger"], first["message"]) == ("WARNING", "tests.private", "7 files")
    assert "in fail" in second["traceback"]
    assert f"not {TYPED}" not in second["traceback"]


def test_errors_are_counted_and_warnings_are_not() -> None:
    keep_private({})
    before = ERRORS.lines()[-1]
    logging.getLogger("tests.private").warning("a warning")
    assert ERRORS.lines()[-1] == before
    log_failure()
    assert int(ERRORS.lines()[-1].split()[1]) == int(before.split()[1]) + 1


def test_another_kind_of_log_ends_the_process() -> None:
    with pytest.raises(SystemExit, match="ATTENTION_LAB_LOGS must be json or nothing, got 'xml'"):
        keep_private({LOGS: "xml"})


def test_what_a_browser_sends_fills_no_log_and_begins_no_line(written: Callable[[], str]) -> None:
    keep_private({})
    logger = logging.getLogger("streamlit.tests")
    logger.parent = logging.getLogger("tests.private")
    logger.warning("The fragment with id %s is gone", "a\nERROR b\x1b" + "c" * 9000)
    (line,) = written().splitlines()
    assert line.startswith("The fragment with id a\\nERROR b\\x1bccc")
    assert len(line) < 600


def test_streamlit_prints_no_error_by_itself() -> None:
    """It would, with its message, if Rich is installed."""
    settings = (Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text("utf-8")
    assert tomllib.loads(settings)["logger"]["enableRich"] is False
