"""A parameter that a view cannot follow is named; what other programs append to a link is not."""

from pathlib import Path

from figures.__main__ import main
from figures.export_pictures import export_pictures
from figures.preset import PRESETS
from pages.contract.link_parameters import parsed
from pages.contract.parameters import FOREIGN, PARAMETERS, is_foreign
from pages.contract.unused_parameters import MOST_NAMED, OF_ANY_PAGE, unfollowed, unfollowed_named
from pages.sheet import build_sheet
from tests.covering import each
from tests.pages.session import Session
from viz.theme import LIGHT

APPENDED = (
    "embed=true&embed_options=dark_theme&utm_source=mail&utm_content=&fbclid=IwAR0-x&gclid=1&msclkid=2&mc_eid=3"
    "&mc_cid=4&ref=t.co&ref_src=twsrc&si=5&_ga=1.2&_gl=1*x&igshid=6&mkt_tok=7&_hsenc=8&yclid=9&srsltid=10"
    "&ttclid=11"
)


def test_parameters_appended_by_other_programs_change_nothing() -> None:
    found = build_sheet(f"/masking?view=paint&{APPENDED}")
    assert (found.refused, found.link) == ((), "/masking?view=paint")


def test_none_of_our_parameters_counts_as_appended_and_other_names_are_unknown() -> None:
    assert not any(map(is_foreign, PARAMETERS))
    for name in ("referee", "embedding", "utm", "texte", "evil"):
        (refused,) = build_sheet(f"/masking?view=paint&{name}=1").refused
        assert name in str(refused)
    assert "(?" not in FOREIGN, "the browser reads the same expression"


@each(
    ("link", "named"),
    [
        ("/translation?view=cross-attention&model=real&real=t5", "model = real, real = t5"),
        ("/generation?view=side by side&temperature=2", "temperature = 2"),
        ("/explorer?view=heads&b_positions=alibi", "b_positions = alibi"),
    ],
)
def test_a_parameter_that_the_view_does_not_have_is_named(link: str, named: str) -> None:
    found = build_sheet(link)
    said = " ".join(map(str, found.refused)).replace("\\", "").replace("\u2060", "")
    assert named in said
    assert "The link sets" in said
    assert "but this view has no such control" in said
    assert named.split(" = ")[0] not in parsed(found.link)[1], "unfollowed parameters are not recorded"


def test_an_impossible_value_of_a_parameter_of_any_page_is_named() -> None:
    link = "stop=99&predict=maybe&large=2&code=3&cover=9&presenter=7"
    found = build_sheet(f"/masking?view=paint&{link}")
    for one in link.split("&"):
        (said,) = [said for said in map(str, found.refused) if f"asks for {one.replace('=', ' = ')}" in said]
        assert said.startswith("The link asks for ")
    assert found.link == "/masking?view=paint", "refused values are not recorded"


def test_a_possible_value_of_a_parameter_of_any_page_is_kept() -> None:
    link = "/masking?view=paint&stop=2&predict=true&large=1&code=true&cover=1&presenter=1"
    found = build_sheet(link)
    assert found.refused == ()
    assert parsed(found.link) == parsed(link)


def test_a_picture_records_its_settings() -> None:
    found = export_pictures("/translation?view=cross-attention&real=t5&seed=3", PRESETS["slide"], LIGHT)
    assert found[0].answered.refused
    assert found[0].link == "/translation?view=cross-attention"


def test_defaults_and_parameters_of_any_page_are_not_named() -> None:
    link = {
        "heads": ["4"],
        "train_depth": ["8"],
        "scale": ["true"],
        "word": [""],
        **{name: ["1"] for name in OF_ANY_PAGE},
    }
    assert unfollowed(link, ()) == {}
    assert unfollowed({"heads": ["2"], "layer": ["1"], "nobody": ["1"]}, {"layer"}) == {"heads": ["2"]}


def test_a_note_names_a_few_of_many_parameters() -> None:
    said = unfollowed_named({f"p{at}": ["1"] for at in range(9)})
    assert "p4" in said
    assert "p5" not in said
    assert f"and {9 - MOST_NAMED} more" in said
    assert unfollowed_named({}) == ""


def test_a_page_names_unfollowed_parameters_until_another_view_is_chosen() -> None:
    session = Session("translation", view="cross-attention", model="real", real="t5", utm_source="x")
    assert len([one for one in session.warnings if "no such control" in one]) == 1
    session.run()
    assert len([one for one in session.warnings if "no such control" in one]) == 1
    session.set(view="translate")
    assert not [one for one in session.warnings if "no such control" in one]


def test_a_choice_that_hides_a_control_is_no_reason_for_a_note() -> None:
    session = Session("generation", view="side by side", way="sampled", temperature="2")
    assert session.warnings == []
    session.set(way="greedy")
    assert session.warnings == []


def test_the_command_refuses_an_unfollowed_parameter(tmp_path: Path) -> None:
    out = ["--format", "csv", "--out", str(tmp_path)]
    assert main(["/translation?view=cross-attention&model=real&real=t5", *out]) == 1
    assert list(tmp_path.iterdir()) == []
    assert main(["/translation?view=cross-attention&utm_source=x", *out]) == 0
    assert list(tmp_path.iterdir())
