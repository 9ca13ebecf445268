"""Log records of a process: errors are counted, and text that a visitor has typed is left out.

A traceback has its frames and the type of the error. The message is left out, because it may quote a sentence
or a link. With `ATTENTION_LAB_LOGS=json` each record is a line of JSON.
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
"""The variable for the format of records, and its only value; the default is text."""

ERRORS = Counter("attention_lab_errors_total", "Errors in the log of the process since it was started.")

BRINGS_MESSAGES = "streamlit"
"""The logger whose records can quote a browser's message, such as a fragment name 4 MB long."""

LONGEST = 500
"""Characters of such a record."""

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def keep_private(environment: Mapping[str, str] = os.environ) -> None:
    """Make all later records of this process private; an unknown format ends the process."""
    asked = environment.get(LOGS, "")
    if asked not in ("", JSON):
        sys.exit(f"{LOGS} must be {JSON} or nothing, got {asked!r}")

    def private(*given: Any, **named: Any) -> logging.LogRecord:
        record = logging.LogRecord(*given, **named)
        if record.name.startswith(BRINGS_MESSAGES):
            record.msg, record.args = one_line(record.getMessage()), ()
        if record.levelno >= logging.ERROR:
            ERRORS.count()
        # A formatter writes this text and ignores the error.
        record.exc_text = without_message(record.exc_info) if record.exc_info and record.exc_info[0] else None
        if asked == JSON:
            as_json(record)
        return record

    logging.setLogRecordFactory(private)


def one_line(message: str) -> str:
    """Return a message that fits into a line of a log: no visitor can write a second one."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in message[:LONGEST])


def without_message(info: Any) -> str:
    """Return a traceback of an error and its causes, with the types of the errors but no messages."""
    found: ExcInfo = info
    parts = []
    for one in _with_causes(found[1]):
        frames = "".join(traceback.format_tb(one.__traceback__))
        parts.append(f"Traceback (most recent call last):\n{frames}{type(one).__qualname__}")
    return "\n\n".join(parts)


def _with_causes(error: BaseException) -> list[BaseException]:
    """Return the causes of an error, and the error last."""
    found = [error]
    while (before := found[0].__cause__ or found[0].__context__) is not None and before not in found:
        found.insert(0, before)
    return found


def as_json(record: logging.LogRecord) -> None:
    """Replace the message of a record with a line of JSON of all its fields."""
    said = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname,
        "logger": record.name,
        "message": record.getMessage(),
    }
    if record.exc_text:
        said["traceback"] = record.exc_text
    record.msg, record.args, record.exc_info, record.exc_text = json.dumps(said), (), None, None
