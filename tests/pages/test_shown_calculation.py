"""The calculation of a cell in the explorer: its place, and its lines."""

from urllib.parse import urlencode

from pages.sheet import build_sheet, lines


def link_of(parameters: dict[str, int]) -> str:
    """Return a link to the heads of a short sentence."""
    return f"/explorer?view=heads&text=the keys are&{urlencode(parameters)}"


def test_a_stop_shows_the_calculation_of_its_cell_before_all_heads() -> None:
    for parameters, names in (
        ({"query": 3, "key": 1, "stop": 1}, ["calculation", "heads_grid"]),
        ({"query": 3, "key": 1}, ["heads_grid", "calculation"]),
        ({"stop": 1}, ["heads_grid"]),
    ):
        keys = "\n".join(lines(build_sheet(link_of(parameters)))).splitlines()
        places = [next(at for at, line in enumerate(keys) if line.startswith(f"[{name}]")) for name in names]
        assert places == sorted(places)


def test_a_mask_has_a_line_of_the_calculation_only_where_it_hides_a_word() -> None:
    for key, is_said in ((1, False), (3, True)):
        said = "\n".join(lines(build_sheet(link_of({"query": 2, "key": key}))))
        assert (r"\text{mask}" in said) is is_said
