"""What the views of one head have in common."""

from typing import Any

from core.text.tokenizer import MAX_WORDS
from pages.controls.examples import TEA
from pages.controls.switches import WITHOUT_WINDOW

OF_HEAD: dict[str, Any] = {"sentence": TEA, "about": "head", "switches": WITHOUT_WINDOW, "pieces": MAX_WORDS}
