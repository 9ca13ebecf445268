"""Three tables: concepts, slips and documents."""

import streamlit as st

from pages import GROUPS
from pages.controls.link import menu
from pages.controls.table import table
from pages.lecture.concepts import CONCEPTS, DOCUMENTS, Concept
from pages.lecture.slips import SLIPS
from pages.shell import Scene

ALL = "all documents"
NOT_YET = "not yet in the app"


def _document(scene: Scene) -> str:
    """The document that rows are listed for."""
    with scene.row:
        return menu("document", options=(ALL, *DOCUMENTS), notes=scene.notes, width=210)


def concepts(scene: Scene) -> None:
    """Every concept, where it is treated, and links to where it is in the app."""
    document = _document(scene)
    shown = {
        name: concept for name, concept in CONCEPTS.items() if document == ALL or document in concept.treated
    }
    rows = [
        (name, concept.title, _treated(concept, document), _places(concept))
        for name, concept in shown.items()
    ]
    table(("Number", "Concept", "In the sources", "In the app"), rows)


def _treated(concept: Concept, document: str) -> str:
    places = [(name, where) for name, where in concept.treated.items() if document in (ALL, name)]
    return " · ".join(f"{name}, {where}" for name, where in places)


def _places(concept: Concept) -> str:
    """Links to the pages that there are."""
    addresses = {entry.address for entries in GROUPS.values() for entry in entries}
    links = [f"[{link.label}]({link.path})" for link in concept.links if link.address in addresses]
    return " · ".join(links) or NOT_YET


def slips(scene: Scene) -> None:
    """What a source says, and what is true."""
    document = _document(scene)
    rows = [
        (name, slip.place, slip.says, f"**{slip.truth}**")
        for name, slip in SLIPS.items()
        if document == ALL or slip.place.startswith(document)
    ]
    table(("Number", "Where", "What it says", "What is true"), rows)
    st.markdown("The app computes what is true. A view about one of these slips has a footnote that says so.")


def documents(scene: Scene) -> None:
    """What the documents are called."""
    table(("Name here", "Document"), [(f"**{name}**", full) for name, full in DOCUMENTS.items()])
    st.markdown("The app cites equations and figures only; its prose is its own.")
