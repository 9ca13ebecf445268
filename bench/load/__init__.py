"""Load of a class: sessions that speak Streamlit's protocol, and their waiting times.

A general load generator would replace the start of users and their percentiles: about a sixth of the lines.
The protocol, the acts of a class, and the server's costs would remain. Locust's percentiles have two digits,
and importing it replaces Python's sockets and threads by gevent's.
"""
