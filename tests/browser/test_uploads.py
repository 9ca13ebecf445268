"""A server without nginx takes no files, not even with the session and token of a browser."""

import urllib.error
import urllib.request

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from bench.load.tab import Tab
from tests.browser.server import Server


def test_no_session_and_token_can_upload_a_file(app: Server) -> None:
    with urllib.request.urlopen(f"{app.address}/_stcore/health") as answer:
        cookie = answer.headers["Set-Cookie"].split(";")[0]
    token = cookie.partition("=")[2]
    stream = f"{app.address.replace('http', 'ws', 1)}/_stcore/stream"
    own = {"subprotocols": ["streamlit", token], "origin": app.address}
    # The page is still being sent, so the closed socket would not be noticed for ten seconds.
    with connect(stream, close_timeout=0.1, **own) as socket:
        socket.send(Tab(app.address).open())
        session = ForwardMsg.FromString(socket.recv(60)).new_session.initialize.session_id  # type: ignore[arg-type]
        assert session
        request = urllib.request.Request(
            f"{app.address}/_stcore/upload_file/{session}/file-1",
            method="PUT",
            data=b"a" * 1000,
            headers={"Cookie": cookie, "X-Xsrftoken": token, "Origin": app.address},
        )
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(request)
