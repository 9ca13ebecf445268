"""Log records of a process: errors are counted, and nothing that a visitor has typed is written down.

A traceback has its frames and the kind of the error. Its message may quote a sentence or a link, so it is
left out. With `ATTENTION_LAB_LOGS=json` each record is a line of JSON.
"""

import json
import logging
import os
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from access.metrics import Counter

LOGS, JSON = "ATTENTION_LAB_LOGS", "json"
"""The variable that chooses how records are written, and its one value; text by default."""

ERRORS = Counter("attention_lab_errors_total", "Errors in the log of the process since it was started.")

BRINGS_MESSAGES = "streamlit"
"""The logger whose records name what a browser has sent, such as the name of a fragment of 4 MB."""

LONGEST = 500
"""Characters of such a record."""

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def keep_private(environment: Mapping[str, str] = os.environ) -> None:
    """Make all records of this process private from now on; another kind of log ends the process."""
    asked = environment.get(LOGS, "")
    if asked not in ("", JSON):
        sys.exit(f"{LOGS} must be {JSON} or nothing, got {asked!r}")

    def private(*given: Any, **named: Any) -> logging.LogRecord:
        record = logging.LogRecord(*given, **named)
        if record.name.startswith(BRINGS_MESSAGES):
            record.msg, record.args = one_line(record.getMessage()), ()
        if record.levelno >= logging.ERROR:
            ERRORS.count()
        # A formatter writes this text and does not look at the error.
        record.exc_text = without_message(record.exc_info) if record.exc_info and record.exc_info[0] else None
        if asked == JSON:
            as_json(record)
        return record

    logging.setLogRecordFactory(private)


def one_line(message: str) -> str:
    """Return a message that fits into a line of a log: no visitor can write a second one."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in message[:LONGEST])


def without_message(info: Any) -> str:
    """Return a traceback of an error and its causes, with the kinds of the errors alone."""
    found: ExcInfo = info
    parts = []
    for one in _with_causes(found[1]):
        frames = "".join(traceback.format_tb(one.__traceback__))
        parts.append(f"Traceback (most recent call last):\n{frames}{type(one).__qualname__}")
    return "\n\n".join(parts)


def _with_causes(error: BaseException) -> list[BaseException]:
    """Return what led to an error before the error itself."""
    found = [error]
    while (before := found[0].__cause__ or found[0].__context__) is not None and before not in found:
        found.insert(0, before)
    return found


def as_json(record: logging.LogRecord) -> None:
    """Make the message of a record the line of JSON that says all of it."""
    said = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname,
        "logger": record.name,
        "message": record.getMessage(),
    }
    if record.exc_text:
        said["traceback"] = record.exc_text
    record.msg, record.args, record.exc_info, record.exc_text = json.dumps(said), (), None, None
