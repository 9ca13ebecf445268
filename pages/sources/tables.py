"""Three tables: concepts, slips and documents."""

from pages import GROUPS
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.sheet import Sheet, Text
from pages.contract.table import table
from pages.shell import Scene, View
from pages.shell.five import five
from pages.syllabus.concepts import CONCEPTS, DOCUMENTS, Concept
from pages.syllabus.slips import SLIPS
from viz.text import counted

ALL = "all documents"
NOT_YET = "not yet in the app"


def ask(ask: Ask, scene: Scene) -> str:
    """The document that rows are listed for."""
    document: str = ask.menu("document", options=(ALL, *DOCUMENTS), width=210)
    return document


def find(scene: Scene, document: str) -> str:
    """The document."""
    return document


def concepts(document: str, look: Look) -> Sheet:
    """Every concept, where it is treated, and links to where it is in the app."""
    shown = {
        name: concept for name, concept in CONCEPTS.items() if document == ALL or document in concept.treated
    }
    rows = [
        (name, concept.title, _treated(concept, document), _places(concept))
        for name, concept in shown.items()
    ]
    n_here = sum(bool(_links(concept)) for concept in shown.values())
    return Sheet(
        answer=_answer(len(rows), n_here, document),
        parts=(table("concepts", ("Number", "Concept", "In the sources", "In the app"), rows),),
    )


def _answer(n_concepts: int, n_here: int, document: str) -> str:
    """How many concepts of a document, or of all, are in the app."""
    of = "the sources" if document == ALL else document
    here = "all of them are" if n_here == n_concepts else f"{n_here} {'is' if n_here == 1 else 'are'}"
    return f"{of[0].upper()}{of[1:]}: {counted(n_concepts, 'concept')}, {here} in the app."


def _treated(concept: Concept, document: str) -> str:
    places = [(name, where) for name, where in concept.treated.items() if document in (ALL, name)]
    return " · ".join(f"{name}, {where}" for name, where in places)


def _places(concept: Concept) -> str:
    """Links to the pages that there are."""
    return " · ".join(_links(concept)) or NOT_YET


def _links(concept: Concept) -> list[str]:
    addresses = {entry.address for entries in GROUPS.values() for entry in entries}
    return [f"[{link.label}]({link.path})" for link in concept.links if link.address in addresses]


def slips(document: str, look: Look) -> Sheet:
    """What a source says, and what is true."""
    rows = [
        (name, slip.place, slip.says, f"**{slip.truth}**")
        for name, slip in SLIPS.items()
        if document == ALL or slip.place.startswith(document)
    ]
    named = counted(len(rows), "slip")
    return Sheet(
        answer=f"{named} of {'the sources' if document == ALL else document}: the app computes what is true.",
        parts=(
            table("slips", ("Number", "Where", "What it says", "What is true"), rows),
            Text("A view about one of these slips has a footnote that says so."),
        ),
    )


def documents(scene: Scene, look: Look) -> Sheet:
    """What the documents are called."""
    return Sheet(
        answer=f"{counted(len(DOCUMENTS), 'document')}: the app cites their equations and figures only.",
        parts=(
            table(
                "documents",
                ("Name here", "Document"),
                [(f"**{name}**", full) for name, full in DOCUMENTS.items()],
            ),
        ),
    )


VIEWS = {
    "concepts": View(sheet=five(ask=ask, find=find, sheet=concepts), asks=False),
    "slips": View(sheet=five(ask=ask, find=find, sheet=slips), asks=False),
    "documents": View(sheet=five(sheet=documents), asks=False),
}
