"""Messages of a server, put together by hand as Streamlit's protocol has them."""

from collections.abc import Sequence

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

WHOLE = ForwardMsg.FINISHED_SUCCESSFULLY
PAGES = {"": "hash of the first page", "masking": "hash of masking"}


def begun(run: str, *fragments: str) -> ForwardMsg:
    """A run begins: of the whole page, or of these fragments."""
    message = ForwardMsg()
    message.metadata.run.script_run_id = run
    message.metadata.run.fragment_ids.extend(fragments)
    message.new_session.page_script_hash = "hash of the app"
    message.new_session.config.max_cached_message_age = 2
    return message


def menu(page: str = "") -> ForwardMsg:
    """Which pages there are, and which one this is."""
    message = ForwardMsg()
    message.navigation.page_script_hash = PAGES[page]
    for address, hash in PAGES.items():
        message.navigation.app_pages.add(url_pathname=address, page_script_hash=hash)
    return message


def shows(
    element: Element, *path: int, fragment: str = "", hash: str = "", cacheable: bool = False
) -> ForwardMsg:
    """An element in its place."""
    message = ForwardMsg(hash=hash)
    message.metadata.delta_path.extend(path)
    message.metadata.cacheable = cacheable
    message.delta.new_element.CopyFrom(element)
    message.delta.fragment_id = fragment
    return message


def finished(status: int = WHOLE) -> ForwardMsg:
    """The last message of a run."""
    return ForwardMsg(script_finished=status)


def text(body: str) -> Element:
    """A line of text."""
    element = Element()
    element.markdown.body = body
    return element


def choice(name: str, options: Sequence[str], default: int, *, parameter: str = "") -> Element:
    """A row of options of which one is chosen."""
    element = Element()
    group = element.button_group
    group.id, group.query_param_key = f"$$ID-0123abcd-{name}", parameter
    for option in options:
        group.options.add(content=option)
    group.default.append(default)
    return element


def box(name: str, default: str, *, parameter: str = "") -> Element:
    """A box for a line of text."""
    element = Element()
    element.text_input.id, element.text_input.default = f"$$ID-0123abcd-{name}", default
    element.text_input.query_param_key = parameter
    return element


def button(name: str) -> Element:
    """A button."""
    element = Element()
    element.button.id = f"$$ID-0123abcd-{name}"
    return element


def timer(fragment: str, seconds: float) -> ForwardMsg:
    """A fragment is to be asked for again, each time after so many seconds."""
    message = ForwardMsg()
    message.auto_rerun.fragment_id, message.auto_rerun.interval = fragment, seconds
    return message


def asked(payload: bytes) -> ClientState:
    """What a browser asks of the server."""
    return BackMsg.FromString(payload).rerun_script
