"""The views of the page Scaling, in the order of the row of views.

A new view is a new file with a function of the place for notes, and a line here.
"""

from collections.abc import Callable

from streamlit.delta_generator import DeltaGenerator

from pages.scaling_views.heads import heads
from pages.scaling_views.random_vectors import random_vectors
from pages.scaling_views.softmax import softmax

VIEWS: dict[str, Callable[[DeltaGenerator], None]] = {
    "random vectors": random_vectors,
    "softmax": softmax,
    "heads": heads,
}
