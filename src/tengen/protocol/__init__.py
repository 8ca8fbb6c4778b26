"""How do other programs reach it? Our side of five protocols, on standard input and output."""

from tengen.protocol.analysis import AnalysisServer, serve
from tengen.protocol.botzone import BotzoneSpeaker
from tengen.protocol.gtp import GtpSpeaker
from tengen.protocol.letters import CloudictSpeaker, SauSpeaker
from tengen.protocol.speaker import Speaker, converse

__all__ = [
    "AnalysisServer",
    "BotzoneSpeaker",
    "CloudictSpeaker",
    "GtpSpeaker",
    "SauSpeaker",
    "Speaker",
    "converse",
    "serve",
]
