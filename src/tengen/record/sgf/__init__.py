"""SGF: read in three steps (grammar, points, game), written by a visitor.

Three dialects of the squares are understood, each value by its own look: Little Golem's `j10` and `i9k11`, FF[4]'s
`jj` (rows from the top), and NCTU6's `JJ` (rows from the bottom).
"""

from tengen.record.sgf.points import Dialect
from tengen.record.sgf.reader import read_sgf
from tengen.record.sgf.writer import write_sgf

__all__ = ["Dialect", "read_sgf", "write_sgf"]
