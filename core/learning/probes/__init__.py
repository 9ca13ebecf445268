"""Linear probes of the fixed vector: which words of a source sentence can be recovered from it?"""
