"""The menus above every page."""

from tests.browser.visitor import Visitor


def marked_menus(visitor: Visitor) -> list[str]:
    """Return the menus that are marked as containing the current page."""
    menus: list[str] = visitor.page.get_by_test_id("stTopNavSection").evaluate_all(
        "(menus) => menus.filter((menu) => getComputedStyle(menu).boxShadow.includes('inset'))"
        ".map((menu) => menu.innerText.trim())"
    )
    return menus
