"""Classification: is a review one of praise or of blame, and which words make it so?"""

from pages.classification_views import PAGE
from pages.shell import show

show(PAGE)
