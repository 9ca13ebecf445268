"""The guide for operators agrees with the code."""

import re
from dataclasses import fields
from pathlib import Path

from access.headers import FRAME_ANCESTORS
from access.metrics import METRICS_FROM
from access.rules import HOSTS
from core.live.training_queue import AT_ONCE_SETTING, KEPT_SETTING
from deploy.settings import Settings, variable
from deploy.supervisor.restart import LONGEST_START
from deploy.supervisor.watch import MISSES, PATIENCE
from rooms.lecturer import SETTING, SHORTEST
from tests.covering import each

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "operations.md").read_text("utf-8")
MOST_WORDS = 1200


@each("field", fields(Settings))
def test_every_setting_is_listed_with_its_default(field) -> None:
    row = re.search(rf"^\| `{variable(field.name)}` \|\s*`?([^|`]*?)`?\s*\|", GUIDE, re.MULTILINE)
    assert row is not None
    assert row[1].strip() == str(field.default)


def test_the_key_of_the_lecturers_is_listed_and_reaches_the_app_everywhere() -> None:
    assert f"| `{SETTING}` |" in GUIDE
    assert f"at least {SHORTEST} characters" in GUIDE
    places = ("compose.yaml", "deploy/kubernetes/deployment.yaml")
    assert [place for place in places if SETTING not in (ROOT / place).read_text("utf-8")] == []


@each("setting", [FRAME_ANCESTORS, HOSTS, METRICS_FROM, AT_ONCE_SETTING, KEPT_SETTING])
def test_variables_of_the_app_are_listed_and_reach_it_under_compose(setting: str) -> None:
    assert f"| `{setting}` |" in GUIDE
    assert f"${{{setting}:-}}" in (ROOT / "compose.yaml").read_text("utf-8")


def test_it_is_short_and_begins_with_ten_steps() -> None:
    assert len(GUIDE.replace("|", " ").split()) <= MOST_WORDS
    steps = GUIDE.partition("\n## ")[2].partition("\n## ")[0]
    assert re.findall(r"^\d+", steps, re.MULTILINE) == [str(step) for step in range(1, 11)]


def test_every_target_of_make_that_is_named_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:^|`|-- )make ([a-z-]+)", GUIDE, re.MULTILINE))
    assert {"serve", "restart", "upgrade", "downgrade"} <= named <= targets


def test_the_guide_has_the_limits_of_a_silent_process() -> None:
    assert (PATIENCE, MISSES, LONGEST_START) == (20, 2, 180), "20 s, twice in succession, three minutes"


@each(("option", "size"), [("maxWidgetStateSize", 4), ("maxMessageSize", 32)])
def test_the_guide_has_the_sizes_of_messages(option: str, size: int) -> None:
    settings = (ROOT / ".streamlit" / "config.toml").read_text("utf-8")
    assert re.search(rf"^{option} = {size}\b", settings, re.MULTILINE)
    assert f"{size} MB" in GUIDE
