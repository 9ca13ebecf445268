"""Models: the real models that this server can read, what each of them is, and where others come from."""

from pages.models_views import PAGE
from pages.shell import show

show(PAGE)
