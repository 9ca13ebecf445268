"""The messages that a browser keeps, so that the server does not send them again."""

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


class MessageCache:
    """Messages by their hash, with the number of the run that last used each.

    As in Streamlit's frontend: after a run the messages of the parts that ran get older, and messages unused
    for more than `max_age` runs are dropped.
    """

    def __init__(self) -> None:
        self.max_age = 2
        self._run = 0
        self._kept: dict[str, tuple[ForwardMsg, int]] = {}

    def keep(self, message: ForwardMsg) -> None:
        """Keep a message that the server has marked for it."""
        self._kept[message.hash] = message, self._run

    def find(self, hash: str) -> ForwardMsg | None:
        """Return the message with that hash and mark it as used; None if it is not kept."""
        if hash not in self._kept:
            return None
        message, _ = self._kept[hash]
        self._kept[hash] = message, self._run
        return message

    def hashes(self) -> list[str]:
        """Return the hashes of messages that the server need not send."""
        return list(self._kept)

    def age(self, fragments: frozenset[str]) -> None:
        """Count a finished run: of the whole page, or of these parts only."""
        self._run += 1
        self._kept = {
            hash: (message, used)
            for hash, (message, used) in self._kept.items()
            if (fragments and message.delta.fragment_id not in fragments) or self._run - used <= self.max_age
        }
