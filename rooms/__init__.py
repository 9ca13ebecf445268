"""Rooms: a lecturer asks everybody in a hall a question, and their phones answer.

`store.py` says what is kept of a room, in a file or in Redis; `answers.py` what an answer may be;
`distributions.py` what the hall has answered, in numbers; `http.py` what phones and the projector ask for.
`browsers.py` tells browsers apart for `limits.py`, and `lecturer.py` has the key that lifts some of these.
"""
