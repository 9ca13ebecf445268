"""Curves differ by hues and four dashes, or by separate signs if there are no hues."""

from tests.covering import each
from viz.layout.line_looks import DASHES, FEW_POINTS, IN_GREY, SOME, line_looks, role_dash
from viz.theme import DARK, GREY, LIGHT, Theme

MANY = {f"curve {n}": f"#00000{n}" for n in range(7)}
COLOURS = "#1F1F1F", "#FFFFFF"


@each("theme", [LIGHT, DARK])
def test_with_hues_dashes_return_and_long_curves_have_no_points(theme: Theme) -> None:
    looks = line_looks(MANY, None, theme)
    assert [look.dash for look in looks] == [*DASHES, *DASHES[:3]]
    assert {look.sign for look in looks} == {""}
    drawn = [looks[0].drawn(n, *COLOURS)["mode"] for n in (FEW_POINTS, FEW_POINTS + 1)]
    assert drawn == ["lines+markers", "lines"]


def test_dashed_curves_have_one_dash_unless_they_have_one_colour() -> None:
    colours = {"whole": "blue", "half": "blue", "quarter": "blue", "other": "red", "half of other": "red"}
    looks = line_looks(colours, ["half", "quarter", "half of other"], LIGHT)
    assert [look.dash for look in looks] == ["solid", "dash", "dot", "solid", "dash"]


def test_in_grey_every_curve_has_a_sign_and_few_of_them_if_it_is_long() -> None:
    looks = line_looks(MANY, None, GREY)
    assert len({look.symbol for look in looks}) == len({look.sign for look in looks}) == len(MANY)
    assert all(IN_GREY[look.symbol] == look.sign for look in looks)
    drawn = [looks[0].drawn(n, *COLOURS) for n in (FEW_POINTS, FEW_POINTS + 1)]
    assert {one["mode"] for one in drawn} == {"lines+markers"}
    assert drawn[0]["marker"] == {"size": 8, "symbol": "circle"}
    assert [one["line"]["width"] for one in drawn] == [3, 2]


@each("n_points", [101, 61])
def test_in_grey_no_two_long_curves_have_a_sign_at_the_same_point(n_points: int) -> None:
    markers = [look.drawn(n_points, *COLOURS)["marker"] for look in line_looks(MANY, None, GREY)]
    marked = [{at for at, size in enumerate(marker["size"]) if size} for marker in markers]
    assert {len(one) for one in marked} == {SOME}
    assert len(set().union(*marked)) == len(MANY) * SOME
    assert all(len(marker["size"]) == len(marker["line"]["width"]) == n_points for marker in markers)
    looks = {one["symbol"]: (one["color"], one["line"]["color"]) for one in markers[2:5]}
    assert looks["diamond"] == ("#FFFFFF", "#1F1F1F"), "open, and no curve shines through"
    assert looks["triangle-up"] == ("#1F1F1F", "#FFFFFF")


def test_the_line_of_a_role_is_dashed_in_grey_alone() -> None:
    roles = ("query", "key", "muted", "ink")
    assert {role_dash(getattr(LIGHT, role), LIGHT) for role in roles} == {"solid"}
    dashes = [role_dash(getattr(GREY, role), GREY) for role in roles]
    assert dashes[0] == dashes[3] == "solid"
    assert len(set(dashes)) == 3
