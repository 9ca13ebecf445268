"""Sources: each concept, where it is taught and where it is in the app; and where the sources slip."""

from pages.shell import show
from pages.source_views import PAGE

show(PAGE)
