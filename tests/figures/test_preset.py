"""The sizes of sheets and of their type."""

import pytest

from figures.export_pictures import export_pictures
from figures.export_request import Style
from figures.layout import job
from figures.preset import MM, POINT, PRESETS, Preset, preset_of
from tests.covering import each
from viz.theme import LIGHT


def test_presets_agree_with_slides_and_publications() -> None:
    sizes = {name: (round(one.width / MM), one.height) for name, one in PRESETS.items() if not one.is_slide}
    assert sizes == {"acl-column": (77, None), "acl": (160, None), "neurips": (140, None)}
    slides = {name: (one.width, one.height) for name, one in PRESETS.items() if one.is_slide}
    assert slides == {"slide": (1280, 720), "half": (640, 720), "square": (720, 720)}


@each("preset", [one for one in PRESETS.values() if not one.is_slide])
def test_print_has_words_of_at_least_seven_points_and_labels_of_five(preset: Preset) -> None:
    assert (preset.least_type / POINT, preset.body_type / POINT) == pytest.approx((5, 7))


@each(
    ("written", "millimetres"),
    [("77mm", 77), ("16 cm", 160), ("3.03in", 76.96), ("219pt", 77.26), (" 77MM ", 77)],
)
def test_a_width_is_read_in_each_unit(written: str, millimetres: float) -> None:
    preset = preset_of(written)
    assert preset.width == round(millimetres * MM)
    assert preset.height is None
    assert preset.name == written.strip().lower().replace(" ", "")


@each("written", ["", "77", "mm", "77px", "-77mm", "1e3mm", "77mm77mm", "39mm", "401mm", "7777777mm", "٧٧mm"])
def test_an_invalid_width_is_refused_in_a_sentence(written: str) -> None:
    with pytest.raises(ValueError, match=r"^A width is .*\.$"):
        preset_of(written)


@pytest.mark.long("all tall figures; the sizes of presets are tested in every run")
@pytest.mark.parametrize(
    "preset", [PRESETS["acl-column"], PRESETS["acl"], preset_of("120mm")], ids=lambda p: p.name
)
@pytest.mark.parametrize(
    "link", ["/gradients?view=distance", "/explorer?view=heads", "/translation?view=cross-attention"]
)
def test_a_figure_is_no_taller_than_a_third_more_than_its_width(link: str, preset: Preset) -> None:
    for export_picture in export_pictures(link, preset, LIGHT):
        assert job(export_picture, Style(preset=preset), ("svg",)).frame.height <= 1.3 * preset.width + 1, (
            export_picture.key
        )
