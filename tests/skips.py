"""Tests that lack a requirement are skipped; on a CI machine they fail."""

import os
from collections.abc import Mapping

import pytest


def refuse(report: pytest.TestReport, environment: Mapping[str, str] = os.environ) -> None:
    """Fail a skipped test if `CI` is set: its requirement is part of the set-up there."""
    if environment.get("CI", "") in ("", "0", "false") or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"Nothing is skipped where CI is set, and this was. {reason}"
