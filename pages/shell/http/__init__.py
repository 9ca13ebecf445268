"""Middleware: what is answered, packed, paced or refused before a page is asked for."""
