"""The views of the page Heads, in the order of the row of views.

A new view is a new file with a function of the place for notes, and a line here.
"""

from collections.abc import Callable

from streamlit.delta_generator import DeltaGenerator

from pages.heads_views.one_and_many import one_and_many
from pages.heads_views.rank import rank
from pages.heads_views.reshape import reshape
from pages.heads_views.three_kinds import three_kinds
from pages.heads_views.two_things import two_things

VIEWS: dict[str, Callable[[DeltaGenerator], None]] = {
    "one and many": one_and_many,
    "two things": two_things,
    "three kinds": three_kinds,
    "reshape": reshape,
    "rank": rank,
}
