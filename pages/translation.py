"""Translation: a sentence on its way into another language, word by word."""

from pages.shell import show
from pages.translation_views import PAGE

show(PAGE)
