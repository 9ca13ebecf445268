"""Sources: every concept and every slip is listed, and every link leads to a page that takes it as it is."""

from pages.contract.examples import MARIA
from pages.contract.sheet import Fold, Table
from pages.data.links import Link
from pages.syllabus import CONCEPTS, DOCUMENTS, SLIPS
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, computed
from tests.views import PAGES

PAGE = "sources"

LINKS = [link for concept in CONCEPTS.values() for link in concept.links]


def first_cells(key: str, **parameters: str) -> list[str]:
    """Return the first cell of each row of a table, in sight or folded, without its head."""
    parts = Asked(PAGE, **parameters).sheet.parts
    inside = [one for part in parts for one in (part.parts if isinstance(part, Fold) else (part,))]
    (table,) = (part for part in inside if isinstance(part, Table) and part.key == key)
    return [line.split("|")[1].strip() for line in str(table.data).splitlines()[2:]]


def test_every_concept_every_slip_and_every_document_is_listed_in_order() -> None:
    assert list(CONCEPTS) == [f"C{at}" for at in range(1, 25)] == first_cells("treated")
    assert first_cells("concepts") == [concept.title for concept in CONCEPTS.values()]
    assert list(SLIPS) == [f"E{at}" for at in range(1, 14)] == first_cells("slips")
    assert first_cells("documents") == [f"**{name}**" for name in DOCUMENTS]


@each("document", DOCUMENTS)
def test_one_document_lists_only_its_subjects(document: str) -> None:
    assert first_cells("treated", document=document) == [
        number for number, concept in CONCEPTS.items() if document in concept.treated
    ]
    assert first_cells("slips", document=document) == [
        name for name, slip in SLIPS.items() if slip.place.startswith(document)
    ]
    (treated,) = [part for part in Asked(PAGE, document=document).sheet.parts if part.key == "treated"]
    others = [name for name in DOCUMENTS if name != document]
    assert not any(f"{name}, " in str(treated) for name in others)


def test_a_link_opens_the_slips() -> None:
    assert SLIPS["E13"].truth in Session(PAGE, slips_table="true").prose
    assert SLIPS["E13"].truth not in Session(PAGE).prose


@each("link", LINKS)
def test_a_link_that_is_called_as_a_view_opens_it(link: Link) -> None:
    page = PAGES[link.address]
    called = link.label.partition(": ")[2]
    opened = link.parameters.get("view", next(iter(page.views)))
    assert opened in page.views
    assert called not in page.views or opened == called


def test_the_linked_calculation_is_of_a_large_weight() -> None:
    link = next(one for one in LINKS if "calculation" in one.label)
    weights = computed(MARIA, source=str(link.parameters["model"])).pattern(0, 0)
    assert weights[int(link.parameters["query"]) - 1, int(link.parameters["key"]) - 1] > 0.2
