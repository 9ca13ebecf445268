"""What all pages share: a page is a question and its views, a view is given a scene, one shell shows them."""

from pages.contract.program import Program
from pages.shell.scene import Scene
from pages.shell.show import show
from pages.shell.view import Page, View

__all__ = ["Page", "Program", "Scene", "View", "show"]
