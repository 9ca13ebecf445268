"""A class in front of the app: sessions that speak Streamlit's own protocol, and what they waited for.

A general load generator would take over when users begin, and their percentiles: about a sixth of the lines.
The protocol, what a class does, and what the server costs would remain. Locust's percentiles have two digits,
and importing it exchanges Python's sockets and threads for those of gevent.
"""
