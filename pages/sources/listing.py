"""The concepts of the sources with links into the app; details for readers of the sources fold away."""

from pages.contract.ask import Ask
from pages.contract.scene import Scene
from pages.contract.sheet import Fold, Sheet, Text, table
from pages.contract.view import view
from pages.syllabus import CONCEPTS, DOCUMENTS, SLIPS, Concept, Slip
from words import counted

ALL = "all documents"

SLIPS_FOLD = "slips"


@view(asks=False)
def sources(ask: Ask, scene: Scene) -> Sheet:
    """Return the concepts of one document or of all, each with its views, and the slips and full names."""
    document: str = ask.menu("document", options=(ALL, *DOCUMENTS), width=210)
    taught = [one for one in CONCEPTS.values() if document == ALL or document in one.treated]
    slips = [one for one in SLIPS.values() if document == ALL or one.place.startswith(document)]
    of = "The sources" if document == ALL else document
    rows = [(one.title, " · ".join(f"[{link.label}]({link.path})" for link in one.links)) for one in taught]
    return Sheet(
        headline=f"{of}: {counted(len(taught), 'concept')}, each with a view in the app.",
        parts=(
            *[_slips(slips, of)] * bool(slips),
            _treated(taught, document),
            _documents(),
            table("concepts", ("Concept", "In the app"), rows),
        ),
    )


def _treated(taught: list[Concept], document: str) -> Fold:
    """Return the places where one document or each of them treats the concepts."""
    rows = [
        (
            one.number,
            one.title,
            " · ".join(f"{name}, {at}" for name, at in one.treated.items() if document in (ALL, name)),
        )
        for one in taught
    ]
    heads = ("Number", "Concept", "In the sources")
    return Fold("Where the sources treat each concept", (table("treated", heads, rows),), key="treated")


def _slips(slips: list[Slip], of: str) -> Fold:
    """Return the errors of the documents, each with its correction."""
    rows = [(one.name, one.place, one.says, f"**{one.truth}**") for one in slips]
    heads = ("Number", "Where", "Claim", "Correction")
    said = Text("The app follows the corrections.")
    title = f"{of}: {counted(len(slips), 'slip')}, with corrections"
    return Fold(title, (table("slips", heads, rows), said), key=SLIPS_FOLD)


def _documents() -> Fold:
    rows = [(f"**{name}**", full) for name, full in DOCUMENTS.items()]
    said = Text(
        "Equations and figures of these documents are cited on this page and in the notes of lectures."
    )
    documents = (table("documents", ("Name here", "Document"), rows), said)
    return Fold("The documents in full", documents, key="documents")
