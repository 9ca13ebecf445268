"""Models: the real models that this server can read, what each of them is, and where others come from."""

from pages.contract.view import Page
from pages.models.listing import models

PAGE = Page(question="Which real models can be read here?", views={"models": models})
