"""Sources: every concept and every slip is listed, and every link leads to a page that takes it as it is."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from pages import GROUPS
from pages.controls.sentence import MARIA
from pages.data.links import Link
from pages.syllabus.concepts import CONCEPTS, DOCUMENTS
from pages.syllabus.slips import SLIPS
from tests.covering import each, first_of_each
from tests.pages.asked import Asked
from tests.pages.session import computed
from tests.views import PAGES

PAGE = "sources"
ADDRESSES = {entry.address for entries in GROUPS.values() for entry in entries}
MECHANISM = {"step-by-step", "positions", "masking", "heads", "scaling", "blocks", "architectures"}
"""Pages of the mechanism; one that is not there yet has no link on the page."""

LINKS = [link for concept in CONCEPTS.values() for link in concept.links]


def rows(session: Asked) -> list[list[str]]:
    """The cells of the table, without its head."""
    table = next(one for one in session.said if one.startswith("| "))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_every_concept_is_listed_in_order_with_its_equations() -> None:
    found = rows(Asked(PAGE))

    assert [row[0] for row in found] == [f"C{at}" for at in range(1, 25)] == list(CONCEPTS)
    by_name = {row[0]: row for row in found}
    assert by_name["C11"][2].startswith("CS 224N note, eq 14–16")
    assert by_name["C11"][3] == "[Blocks: two layers in one](/blocks?view=two+layers+in+one)"
    assert [name for name, row in by_name.items() if row[3] == "not yet in the app"] == []
    assert all(concept.treated and set(concept.treated) <= set(DOCUMENTS) for concept in CONCEPTS.values())


def test_every_slip_is_listed_with_what_is_true() -> None:
    found = rows(Asked(PAGE, view="slips"))

    assert [row[0] for row in found] == [f"E{at}" for at in range(1, 14)]
    assert Asked(PAGE, view="slips").sheet.answer.startswith("13 slips of the sources:")
    assert [row[1:] for row in found] == [[s.place, s.says, f"**{s.truth}**"] for s in SLIPS.values()]


def test_the_documents_are_named_in_full() -> None:
    found = rows(Asked(PAGE, view="documents"))

    assert [row[0] for row in found] == [f"**{name}**" for name in DOCUMENTS]
    assert all(any(slip.place.startswith(name) for name in DOCUMENTS) for slip in SLIPS.values())


def test_one_document_has_what_it_treats_alone() -> None:
    session = Asked(PAGE, document="Textbook")
    assert [row[0] for row in rows(session)] == [n for n, c in CONCEPTS.items() if "Textbook" in c.treated]
    assert all("note" not in row[2] for row in rows(session))

    session.set(view="slips")
    assert [row[0] for row in rows(session)] == ["E6", "E7"]
    session.set(document="Seq2seq slides")
    assert [row[0] for row in rows(session)] == ["E12"]
    assert session.sheet.answer.startswith("1 slip of Seq2seq slides:")


def test_no_two_links_of_a_concept_say_the_same() -> None:
    for concept in CONCEPTS.values():
        assert len({link.label for link in concept.links}) == len(concept.links), concept.title


def test_every_link_names_what_it_opens() -> None:
    assert [link.path for link in LINKS if link.label.endswith(": ")] == []


@pytest.mark.parametrize("view", ["concepts", "slips", "documents"])
def test_every_column_has_a_head(view: str) -> None:
    table = next(one for one in Asked(PAGE, view=view).said if one.startswith("| "))
    assert all(cell.strip() for cell in table.splitlines()[0].strip("|").split("|"))


@each("link", [one for one in LINKS if one.address])
def test_a_link_that_is_called_as_a_view_opens_it(link: Link) -> None:
    page = PAGES[link.address]
    called = link.label.partition(": ")[2]
    opened = link.parameters.get("view", next(iter(page.views)))
    assert opened in page.views
    assert called not in page.views or opened == called


def test_the_weight_whose_calculation_is_linked_is_worth_following() -> None:
    link = next(one for one in LINKS if "calculation" in one.label)
    weights = computed(MARIA, source=str(link.parameters["model"])).pattern(0, 0)
    assert weights[int(link.parameters["query"]) - 1, int(link.parameters["key"]) - 1] > 0.2


def test_every_address_is_one_of_a_page() -> None:
    assert {link.address for link in LINKS} <= ADDRESSES | MECHANISM
    linked = re.findall(r"\]\(/([^)?]*)", " ".join(row[3] for row in rows(Asked(PAGE))))
    assert set(linked) <= ADDRESSES, "no dead links"
    assert len(linked) == sum(link.address in ADDRESSES for link in LINKS)


@pytest.mark.usefixtures("usual_model")
@pytest.mark.parametrize(
    "link",
    first_of_each(
        lambda one: one.address,
        ((one,) for one in LINKS if one.address in ADDRESSES and one.parameters),
        long="a link of ours to a view that would take it ill; one to each page is in every run",
    ),
    ids=lambda one: one.path,
)
def test_a_page_takes_the_parameters_of_its_links(link: Link) -> None:
    parts = urlsplit(link.path)
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    assert asked == {name: str(value) for name, value in link.parameters.items()}

    session = Asked(link.address, **asked)

    assert parts.path == f"/{link.address}"
    assert session.warnings == []
    assert session.infos == []
    assert not re.search(r"\{\w+[.(\[]", session.prose), "a value that was not put into its sentence"
    for name, value in link.parameters.items():
        assert str(session.value(name)).lower() == str(value).lower()
