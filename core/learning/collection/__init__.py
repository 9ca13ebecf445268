"""The models that come with the app: their names, their files, and how to load one."""

from core.learning.collection.checkpoint_store import FOLDER, load_listed_member, path_of, record_of
from core.learning.collection.members import MEMBERS, Member, name_of, shipped_instead

__all__ = [
    "FOLDER",
    "MEMBERS",
    "Member",
    "load_listed_member",
    "name_of",
    "path_of",
    "record_of",
    "shipped_instead",
]
