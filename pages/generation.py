"""Generation: language models that go on with a text, one word at a time."""

from pages.generation_views import PAGE
from pages.shell import show

show(PAGE)
