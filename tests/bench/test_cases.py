"""What `make bench` presses and waits for is on the page that it opens."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from bench import cases
from bench.cases import CASES, FIRST_VISITS, ONE_FIGURE, SMOLLM2, Case
from tests.covering import each
from tests.pages.session import by_key, linked

KEY = re.compile(r"\.st-key-(\w+)")


@pytest.mark.long("what `make bench` presses and is no longer there: whoever runs it is told as well")
@each("case", [*CASES, *FIRST_VISITS])
def test_controls_and_pictures_are_there(case: Case) -> None:
    if case.lacks:
        pytest.skip(case.lacks)
    path, _, query = case.link.strip("/").partition("?")
    app = linked(path, dict(parse_qsl(query)), script=case.script).run()
    assert [error.value for error in app.exception] == []
    keyed = {**by_key(app.main), **by_key(app.sidebar)}
    assert set(KEY.findall(" ".join((*case.controls, case.picture)))) <= set(keyed), case.name
    assert not (case.controls and case.reads) or "Sentence" in [box.label for box in app.text_input], (
        case.name
    )


def test_a_case_of_a_real_model_says_that_the_model_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cases, "MODELS", tmp_path)
    assert ONE_FIGURE.lacks == ""
    assert SMOLLM2.lacks == "models/smollm2-135m is not there: make pretrained fetches it"
    (tmp_path / SMOLLM2.model).mkdir()
    (tmp_path / SMOLLM2.model / "config.json").touch()
    assert SMOLLM2.lacks == ""
