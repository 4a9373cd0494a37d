"""Documents, positions and encodings, syntax, ranges of values.

The only room that counts lines, columns and UTF-16 units. Everything else
speaks of byte offsets.
"""
