"""Journeys through the app: a package, so that their browser and server end with the last of them."""
