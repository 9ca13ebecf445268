"""Serving the app to many: several processes behind nginx, watched over by supervisor."""
