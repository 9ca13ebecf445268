"""The router and the frame: which pages there are and what stands around each of them.

Streamlit imports this file once, to serve it, and then runs it for every visitor.
"""

from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

import figures.http
from access.logs import keep_private
from access.rules import rules
from figures.preset import PRESETS
from figures.provenance import version
from figures.queue import Queue
from pages import ENTRIES, GROUPS, LECTURE, Entry, group_of
from pages.browser.collect import offer_step
from pages.browser.connection import follow_connection
from pages.browser.drawer import offer_switches
from pages.browser.first_page import files as first_page_files
from pages.browser.first_page import send_first_page
from pages.browser.history import keep_history
from pages.browser.keys import follow_keys
from pages.browser.owner.cookie import owner_cookie
from pages.browser.questions.room_questions import phones
from pages.browser.saving import offer_saving
from pages.browser.screen import follow_screen
from pages.browser.search import offer_search
from pages.browser.terms import follow_terms
from pages.contract.view import page_of
from pages.lecture.player import show_linked_lecture
from pages.path.progress import follow_progress
from pages.shell.base import pass_base_path, strip_root_path
from pages.shell.http import layers
from pages.shell.http.bursts import answers_in_bursts
from pages.shell.http.closed import closed_addresses
from pages.shell.http.files import FrontendFiles
from pages.shell.http.metrics import process_metrics
from pages.shell.http.pace import PacedMessages
from pages.shell.http.request_headers import readable_headers
from pages.shell.navigation import RUNS, navigation_page
from pages.shell.page import draw_page
from pages.shell.start import prepare
from pages.state.link import follow_link
from rooms.browsers import Browsers
from rooms.shared_store import shared

HERE = Path(__file__).parent


def frame() -> None:
    """Draw the navigation, and below it the page of the address."""
    st.html(HERE / "pages" / "frame.css")
    follow_screen()
    follow_connection()
    keep_history()
    follow_keys()
    offer_search()
    offer_switches()
    follow_terms()
    follow_progress()
    offer_saving([(preset.name, preset.label, preset.is_slide) for preset in PRESETS.values()])
    RUNS.update({entry: partial(_run, entry) for entry in ENTRIES})
    pages = {entry: navigation_page(entry) for entry in ENTRIES}
    menus = {group: [pages[entry] for entry in entries] for group, entries in GROUPS.items()}
    # In a narrow window the menu is in the sidebar, where Streamlit would hide the pages after the tenth.
    # In a frame of a page of a course, `?embed=true` asks for a page without the menu.
    is_embedded = bool(st.context.is_embedded)
    page = st.navigation(menus, position="hidden" if is_embedded else "top", expanded=True)
    # A file of our own: Streamlit fetches its named icons for a page from an outside server.
    icon = str(HERE / "assets" / "icon.svg")
    about = f"Attention Lab {version()}. Every number on the screen is computed."
    st.set_page_config(
        page_title=f"{page.title} · Attention Lab", page_icon=icon, layout="wide", menu_items={"About": about}
    )
    follow_link(page.url_path)
    if not is_embedded:
        if group := group_of(page.url_path):
            _mark(group)
        offer_step(page.url_path)
    if not page.url_path:
        st.html(HERE / "pages" / "home" / "home.css")
    page.run()


def _run(entry: Entry) -> None:
    """Run the page of an entry, whose folder is imported only then."""
    if entry == LECTURE and show_linked_lecture():
        return
    draw_page(page_of(entry), entry.address)


def _mark(group: str) -> None:
    """Mark the menu of the page one is on: Streamlit (1.67) marks a page only in its open menu."""
    # Pages without a menu stand in the bar before the menus.
    place = len(GROUPS[""]) + list(GROUPS).index(group)
    menu = f'[data-testid="stTopNav"] > :nth-child({place}) > button'
    look = "font-weight: 600; box-shadow: inset 0 -2px 0 currentColor; border-radius: 0;"
    st.html(f"<style>{menu} {{ {look} }}</style>")


if __name__ == "__main__":
    frame()
else:
    # Torch and Plotly take seconds to load: paid here, before the first visitor comes.
    prepare()
    # Streamlit (1.67) asks only whether there is a folder `pages`, and has no option against it:
    # without this its first visitor would read "Page not found" over every page but the home.
    PagesManager.uses_pages_directory = False
    keep_private()
    orders = Queue()
    middleware = [
        *rules(first_page_files().page, process_metrics(orders.__len__)),
        *layers(readable_headers, pass_base_path, closed_addresses),
        *layers(answers_in_bursts, PacedMessages, FrontendFiles),
        phones(),
        figures.http.middleware(Browsers(shared).client_or_address, orders),
        *layers(owner_cookie, send_first_page, strip_root_path),
    ]
    app = st.App(__file__, middleware=middleware)
