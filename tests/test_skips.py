"""On a CI machine a skipped test fails, and names its missing requirement."""

from typing import Any

import pytest

from tests.skips import refuse

LACKS = "Skipped: MiniLM is not there: `make pretrained` fetches it"


def report(outcome: Any = "skipped", longrepr: Any = ("test_it.py", 7, LACKS)) -> pytest.TestReport:
    place = ("test_it.py", 7, "test_it")
    return pytest.TestReport("test_it.py::test_it", place, {}, outcome, longrepr, "setup")


@pytest.mark.parametrize("value", ["true", "1"])
def test_a_skipped_test_fails_on_ci_with_a_remedy(value: str) -> None:
    refused = report()
    refuse(refused, {"CI": value})
    assert refused.failed
    assert refused.longrepr == f"Nothing is skipped where CI is set, and this was. {LACKS}"


@pytest.mark.parametrize("environment", [{}, {"CI": ""}, {"CI": "false"}])
def test_elsewhere_it_stays_skipped(environment: dict[str, str]) -> None:
    left = report()
    refuse(left, environment)
    assert left.skipped


def test_passed_and_xfailed_tests_stay_unchanged() -> None:
    passed, expected = report("passed", None), report()
    expected.wasxfail = "reason"
    for one in (passed, expected):
        refuse(one, {"CI": "true"})
    assert (passed.outcome, expected.outcome) == ("passed", "skipped")


def test_the_hook_of_all_tests_refuses_skips(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    item = request.node
    skipped = pytest.CallInfo.from_call(lambda: pytest.skip("for a reason"), "call")
    made = item.ihook.pytest_runtest_makereport(item=item, call=skipped)
    assert made.failed
    assert "for a reason" in made.longrepr
