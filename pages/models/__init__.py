"""Models: the real models that this server can read, descriptions of them, and sources of others."""

from pages.contract.view import Page
from pages.models.listing import models

PAGE = Page(question="Which real models can be read here?", views={"models": models})
