"""What `make bench` presses and waits for is on the page that it opens."""

import re

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from bench.cases import CASES, FIRST_VISITS, FLOORS, ONE_FIGURE, Case
from tests.covering import each
from tests.pages.session import by_key

KEY = re.compile(r"\.st-key-(\w+)")


@pytest.mark.long("what `make bench` presses and is no longer there: whoever runs it is told as well")
@each("case", [*FLOORS, ONE_FIGURE, *CASES, *FIRST_VISITS])
def test_controls_and_pictures_are_there(case: Case) -> None:
    app = AppTest.from_file(case.script, default_timeout=60)
    app._bidi_component_manager = BidiComponentManager()
    app._page_hash = calc_hash(case.path.strip("/"))
    app.query_params = {name: str(value) for name, value in case.query.items()}
    app.run()
    assert [error.value for error in app.exception] == []
    keyed = {**by_key(app.main), **by_key(app.sidebar)}
    assert set(KEY.findall(" ".join((*case.controls, case.picture)))) <= set(keyed), case.name
