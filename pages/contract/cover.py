"""What a view has found is covered: by its questions, or by a link until somebody reveals it."""

import re
from typing import Literal

from pages.contract.answers import Answers
from pages.contract.ask import Ask

COVER, PRESENTER = "cover", "presenter"
"""The parameters that say whether a view is covered, and whether the presenter's window is shown."""

SPELT = {"1": True, "true": True, "0": False, "false": False}


def read_flag(text: str) -> bool:
    """Return whether a link sets a flag such as the cover. Raises ValueError if it says something else."""
    if text.lower() not in SPELT:
        raise ValueError("it can be 1 or absent")
    return SPELT[text.lower()]


def ask_cover(ask: Ask) -> bool:
    """Whether the link covers what a view has found; a note says so where a flag cannot be read."""
    ask.spelt(PRESENTER, read_flag, default=False, instead="the page")
    return bool(ask.spelt(COVER, read_flag, default=False, instead="the view"))


def covers(answers: Answers) -> bool:
    """Whether the link covers it, without a note."""
    return SPELT.get(str(answers.spelling(COVER)).lower(), False)


def cover_key(view: str, until: Literal["answered", "revealed"]) -> str:
    """Return the key of what is covered in a view, such as `masking paint`.

    Its questions cover it until they are answered, a link until somebody reveals it. The frame's style sheet
    hides what has such a key; the browser shows it again.
    """
    return f"covered_until_{until}_{re.sub('[^a-z0-9]+', '_', view.lower())}"
