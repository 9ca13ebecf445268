"""Pinned packages are installed and listed with their licences, and no licence binds users of the app."""

import re
from collections.abc import Mapping
from subprocess import CompletedProcess

import pytest

from core.pretrained.fetched import ALL
from deploy import audit, dependencies
from deploy.dependencies import APP, DEV, SERVE, brought_along, pinned
from deploy.licences import HEADINGS, PAGE, licences, page
from tests.covering import each

ROW = re.compile(r"^\| ([\w.-]+) \| ([\w.+!-]+) \| (.+) \|$", re.MULTILINE)
BINDING = re.compile(r"\bA?GPL|GNU (Affero )?General Public", re.IGNORECASE)
"""Licences that would ask the same of the app: LGPL and MPL do not."""


LICENCES = pytest.mark.long("a licence that changed with a version, for which all packages are read")


@pytest.fixture(scope="module")
def known() -> Mapping[str, str]:
    return licences([*brought_along(pinned(APP)), *pinned(SERVE), *pinned(DEV)])


@LICENCES
@each("file", HEADINGS)
def test_the_page_lists_every_pinned_package_with_its_licence(file: str, known: Mapping[str, str]) -> None:
    section = PAGE.read_text("utf-8").partition(f"## {HEADINGS[file]}\n")[2].partition("\n## ")[0]
    _, *rows = ROW.findall(section)  # the headings
    listed = {name: (version, licence) for name, version, licence in rows}
    assert listed == {name: (version, known[name]) for name, version in pinned(file).items()}


@LICENCES
def test_the_page_is_up_to_date(known: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deploy.licences.licences", lambda names: {name: known[name] for name in names})
    ours = PAGE.read_text("utf-8").partition("## Packages that these packages install")[0]
    assert page().startswith(ours)
    assert "://" not in ours


def test_the_page_lists_the_models_that_set_up_fetches() -> None:
    rows = [f"| {one.title} | {one.package} | {one.licence} |" for one in ALL]
    assert "\n".join(rows) in PAGE.read_text("utf-8")


@LICENCES
def test_licences_of_the_apps_packages_do_not_bind_it(known: Mapping[str, str]) -> None:
    needed = brought_along([*pinned(APP), *pinned(SERVE)])
    assert {"streamlit", "tornado"} & needed.keys(), "their requirements are checked too"
    assert {name: known[name] for name in needed.keys() & known.keys() if BINDING.search(known[name])} == {}


@each("file", [APP, SERVE, DEV])
def test_installed_versions_are_the_pinned_ones(file: str) -> None:
    installed = brought_along(pinned(file))
    assert {name: installed[name] for name in pinned(file)} == pinned(file)


def test_a_requirement_without_a_version_is_refused(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("pins")
    (folder / "r.txt").write_text("# a comment\n-r other.txt\nPlotly==7.1.0  # figures\ntorch>=2\n")
    monkeypatch.setattr(dependencies, "ROOT", folder)
    with pytest.raises(ValueError, match=r"r\.txt must pin a version with ==, got torch>=2"):
        pinned("r.txt")


@each(
    ("returned", "said", "expected"),
    [
        (0, "No known vulnerabilities found", 0),
        (1, "Found 1 known vulnerability in 1 package", 1),
        (1, "ERROR: numpy: Dependency not found on PyPI and could not be audited: numpy (2.4.6)", 2),
        (1, "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='…'): Max retries exceeded", 2),
    ],
)
def test_an_audit_that_could_not_ask_is_not_passed(
    returned: int,
    said: str,
    expected: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = []

    def run(command: list[str], **_: object) -> CompletedProcess[str]:
        file = command[-1].removeprefix("--requirement=")
        with open(file, encoding="utf-8") as lines:
            asked.extend(lines.read().splitlines())
        return CompletedProcess(command, returned, stdout="", stderr=said + "\n")

    monkeypatch.setattr(audit.subprocess, "run", run)
    assert audit.main() == expected
    assert ("Not audited" in capsys.readouterr().err) is (expected == audit.NOT_AUDITED)
    assert {f"{name}=={version}" for name, version in pinned(APP).items()} <= set(asked)
