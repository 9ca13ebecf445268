"""Training: the combination of the switches is trained here and now, and its attention comes about."""

from pages.controls.switches import SWITCHES
from pages.shell import Page, View
from pages.training.watching import training

SWITCHED = frozenset(switch.name for switch in SWITCHES) - {"window"}

PAGE = Page(
    question="How does attention come about?",
    views={"training": View(draw=training, switches=SWITCHED)},
    former_names={"attention_table": "trained_attention_table"},
)
