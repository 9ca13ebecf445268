"""What all pages share: a page is a question and its views, and a view is given a scene."""

from pages.contract.program import Program
from pages.shell.scene import Scene
from pages.shell.view import Page, View

__all__ = ["Page", "Program", "Scene", "View"]
