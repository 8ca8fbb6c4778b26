"""How do people keep games? Trees of moves, the formats of files, and the user's store."""

from tengen.record.errors import RecordError, StoreError
from tengen.record.files import FORMATS, Format, read_file, read_text, recognise, write_file
from tengen.record.gather import gather
from tengen.record.limits import ReadLimits
from tengen.record.sgf import Dialect, read_sgf, write_sgf
from tengen.record.store import Entry, Store, data_folder, make_folder, private_data_folder
from tengen.record.tree import Node, Record, Visitor

__all__ = [
    "FORMATS",
    "Dialect",
    "Entry",
    "Format",
    "Node",
    "ReadLimits",
    "Record",
    "RecordError",
    "Store",
    "StoreError",
    "Visitor",
    "data_folder",
    "gather",
    "make_folder",
    "private_data_folder",
    "read_file",
    "read_sgf",
    "read_text",
    "recognise",
    "write_file",
    "write_sgf",
]
