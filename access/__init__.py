"""Rules for every request, behind any server: headers, names of the server, limits."""
