"""The rules of proof files, which trust nothing in them; `check.py` beside this folder applies them to a file.

docs/proof-format.md gives the rules and says why they are sound. Nothing is imported from the rest of the house, so
that whoever doubts a proof has these few files to read, best in this order: `board` (squares, segments, zones), `win`
and `hold` (the rules) with `walk`, which they share, `file` and `text` (how a file is read), and then `check.py`.
`breaker` has the rules of another kind of file, and `processes` lets several share the work on a large one.
"""
