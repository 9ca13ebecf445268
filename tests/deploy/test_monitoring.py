"""The dashboard asks for existing metrics, and the unit of systemd runs existing commands."""

import json
import re
from pathlib import Path

from pages.shell.http.metrics import process_metrics

DEPLOY = Path(__file__).parents[2] / "deploy"


def test_every_panel_asks_for_existing_metrics() -> None:
    dashboard = json.loads((DEPLOY / "monitoring" / "dashboard.json").read_text("utf-8"))
    asked = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    lines = [line for metric in process_metrics(lambda: 0) for line in metric.lines()]
    told = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    names = {re.sub("_(bucket|count)$", "", name) for name in re.findall(r"attention_lab_\w+", asked)}
    assert names == told | {"attention_lab_errors_total"}


def test_the_unit_runs_commands_of_the_makefile() -> None:
    unit = (DEPLOY / "systemd" / "attention-lab.service").read_text("utf-8")
    makefile = (DEPLOY.parent / "Makefile").read_text("utf-8")
    commands = re.findall(r"^Exec\w+=/usr/bin/make (\w+)", unit, re.MULTILINE)
    assert commands == ["serve", "restart"]
    assert all(f"\n{name}:" in makefile for name in commands)
