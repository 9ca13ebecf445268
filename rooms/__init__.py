"""Rooms: a lecturer asks everybody in a hall a question, and their phones answer.

`store.py` is the interface of a store of rooms, in a file or in Redis. `replies.py` checks answers, and
`distributions.py` summarizes them in numbers. `http.py` has the endpoints for phones and the projector.
`browsers.py` tells browsers apart for `limits.py`, and `lecturer.py` has the key that lifts some limits.
"""
