"""The health check of a process."""

import socket
from threading import Thread

from attention_lab.serving import answers
from deploy.health import wait_until
from tests.deploy.nginx import LONGEST_WAIT, StandIn


def test_a_process_that_answers_is_healthy() -> None:
    one = StandIn("7")
    assert answers(one.process.address, timeout=LONGEST_WAIT)
    (heard,) = one.headers
    assert one.asked == ["/_stcore/health"]
    assert heard["x-forwarded-prefix"], "it is answered below any base path"
    one.end()
    assert not answers(one.process.address, timeout=LONGEST_WAIT)


def test_a_program_with_another_answer_is_not_healthy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def echo() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(connection.recv(1000))

        Thread(target=echo, daemon=True).start()
        assert not answers(f"127.0.0.1:{server.getsockname()[1]}", timeout=LONGEST_WAIT)


def test_waiting_ends_with_the_first_yes_or_when_the_time_is_over() -> None:
    asked = iter([False, False, True])
    assert wait_until(lambda: next(asked), seconds=20, every=0)
    assert not wait_until(lambda: False, seconds=0, every=0)
