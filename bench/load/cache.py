"""The messages that a browser keeps, so that the server need not send them again."""

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


class MessageCache:
    """Messages by their hash, with the number of the run that has last used each.

    As in Streamlit's own frontend: after a run the messages of the parts that ran grow older, and those not
    used for more than `max_age` runs are forgotten.
    """

    def __init__(self) -> None:
        self.max_age = 2
        self._run = 0
        self._kept: dict[str, tuple[ForwardMsg, int]] = {}

    def keep(self, message: ForwardMsg) -> None:
        """Remember a message that the server has marked for it."""
        self._kept[message.hash] = message, self._run

    def find(self, hash: str) -> ForwardMsg | None:
        """The message of that hash, used once more; None where there is none."""
        if hash not in self._kept:
            return None
        message, _ = self._kept[hash]
        self._kept[hash] = message, self._run
        return message

    def hashes(self) -> list[str]:
        """What the server is told that it need not send."""
        return list(self._kept)

    def age(self, fragments: frozenset[str]) -> None:
        """A run has finished: of the whole page, or of these parts only."""
        self._run += 1
        self._kept = {
            hash: (message, used)
            for hash, (message, used) in self._kept.items()
            if (fragments and message.delta.fragment_id not in fragments) or self._run - used <= self.max_age
        }
