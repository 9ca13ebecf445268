"""The view of the page Training."""

from pages.controls.switches import SWITCHES
from pages.shell import Page, View
from pages.training_views.watching import training

SWITCHED = frozenset(switch.name for switch in SWITCHES) - {"window"}

PAGE = Page(
    question="How does attention come about?",
    views={"training": View(draw=training, switches=SWITCHED)},
    former_names={"attention_table": "trained_attention_table"},
)
