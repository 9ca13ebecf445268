"""What a view measures, for a link without a page."""

from typing import Any

from pages.sheet import answered
from pages.shell.measuring import NOTHING, Measured, Measurement, measured_now

LINK = "/blocks?view=short+training&block_layers=1"
COUNTED = Measurement(
    "counted",
    lambda scene, choices: ((f"part {i}", scene * i) for i in range(3)),
    about=lambda scene, choices: (scene, choices),
    n_parts=3,
)


def test_all_parts_are_measured_and_nothing_is_kept() -> None:
    assert measured_now(COUNTED, 5, "so") == Measured((5, "so"), (0, 5, 10))
    assert NOTHING.parts == ()


def test_a_sheet_is_given_what_was_measured_and_nothing_where_nobody_measures() -> None:
    asked: list[tuple[str, Any]] = []

    def measure(what: Measurement, scene: Any, choices: Any) -> Measured:
        asked.append((what.key, what.about(scene, choices)))
        return Measured(asked[-1][1], ())

    found = answered(LINK, measure=measure)

    assert [key for key, _ in asked] == ["short_training_losses"]
    assert found.scene.measured.about == asked[0][1]
    assert answered(LINK).scene.measured == NOTHING


def test_a_view_that_measures_nothing_asks_nobody() -> None:
    def measure(what: Measurement, scene: Any, choices: Any) -> Measured:
        raise AssertionError("there is nothing to measure")

    assert answered("/scaling?view=softmax", measure=measure).scene.measured == NOTHING
