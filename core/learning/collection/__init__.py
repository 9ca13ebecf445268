"""The models that come with the app: their names, their files, and how to load one."""

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
