"""Start, watch and replace the processes of the app and nginx."""

ENDED = "ended"
"""The file in the folder of a server with the reason why it had to stop."""
