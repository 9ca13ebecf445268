"""What starts the processes of the app and nginx, watches over them, and exchanges them for new ones."""

ENDED = "ended"
"""The file in the folder of a server that says why nobody can be served any more."""
