"""The models that come with the app: which there are, where they lie, and how one is taken from there."""

from core.learning.collection.checkpoint_store import FOLDER, path_of, record_of, take, write_index
from core.learning.collection.members import MEMBERS, SHIPPED, Member, name_of, shipped_instead

__all__ = [
    "FOLDER",
    "MEMBERS",
    "SHIPPED",
    "Member",
    "name_of",
    "path_of",
    "record_of",
    "shipped_instead",
    "take",
    "write_index",
]
