"""What `make bench` presses and waits for is on the page that it opens."""

import re

import pytest

from bench.cases import CASES, FIRST_VISITS, FLOORS, ONE_FIGURE, Case
from tests.covering import each
from tests.pages.session import by_key, linked

KEY = re.compile(r"\.st-key-(\w+)")


@pytest.mark.long("what `make bench` presses and is no longer there: whoever runs it is told as well")
@each("case", [*FLOORS, ONE_FIGURE, *CASES, *FIRST_VISITS])
def test_controls_and_pictures_are_there(case: Case) -> None:
    app = linked(case.path.strip("/"), case.query, script=case.script).run()
    assert [error.value for error in app.exception] == []
    keyed = {**by_key(app.main), **by_key(app.sidebar)}
    assert set(KEY.findall(" ".join((*case.controls, case.picture)))) <= set(keyed), case.name
