"""Serve the app to many users: several processes behind nginx, watched by supervisor."""
