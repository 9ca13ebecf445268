"""Measurements of a view, for a link without a page."""

from pages.contract.measurement import NOTHING, Measurement, MeasurementResult, measured_now
from pages.sheet import build_sheet

COUNTED = Measurement("counted", lambda: ((f"part {i}", 5 * i) for i in range(3)), about="fives", n_parts=3)


def test_all_parts_are_measured_and_nothing_is_kept() -> None:
    assert measured_now(COUNTED) == MeasurementResult("fives", (0, 5, 10))
    assert COUNTED.shared() is NOTHING
    assert NOTHING.parts == ()


def test_a_sheet_gets_its_measurement_or_none() -> None:
    asked: list[Measurement] = []

    def measure(what: Measurement) -> MeasurementResult:
        asked.append(what)
        return MeasurementResult(what.about, ())

    assert build_sheet("/generation?view=memory&cost=time+per+word", measure=measure).measured_on
    assert [what.key for what in asked] == ["word_times"]
    assert not build_sheet("/generation?view=memory&cost=time+per+word").measured_on


def test_a_view_without_measurements_starts_none() -> None:
    def measure(what: Measurement) -> MeasurementResult:
        raise AssertionError("there is nothing to measure")

    assert not build_sheet("/scaling?curve=gradient", measure=measure).measured_on
