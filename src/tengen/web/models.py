"""What browsers say and hear. The types of the front end are made from these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tengen.web.changes import Change, FlatNode

ShortText = Annotated[str, StringConstraints(max_length=500)]
LongText = Annotated[str, StringConstraints(max_length=20_000_000)]
SquareText = Annotated[str, StringConstraints(max_length=12)]
Place = Annotated[int, Field(ge=0, le=2**31)]
"""How many come before it in a list; what no list can hold is refused, not handed on."""


class Model(BaseModel):
    """Fields that are not known are refused: they are mistakes."""

    model_config = ConfigDict(extra="forbid")


class GameView(Model):
    """A game, for those who draw its board."""

    text: str
    name: str
    columns: int | None
    rows: int | None
    k: int
    p: int
    q: int
    maker_breaker: bool


class DocumentEntry(Model):
    """A line of the list of documents."""

    id: str
    title: str
    game: str
    changed: str


class CollectionEntry(Model):
    """A file with many records, in the list of documents."""

    id: str
    title: str
    size: int


class CollectionPage(Model):
    """Some records of a collection, and how many there are."""

    documents: list[DocumentEntry]
    total: int


class AgentView(Model):
    """Somebody who can be asked for a move."""

    name: str
    """By which he is asked."""
    title: str
    about: str


class FormatView(Model):
    """A format of files."""

    name: str
    about: str
    suffix: str


class DeskView(Model):
    """What the page needs before anything is opened."""

    version: str
    documents: list[DocumentEntry]
    collections: list[CollectionEntry]
    games: list[GameView]
    agents: list[AgentView]
    formats: list[FormatView]
    has_grid: bool


class DocumentView(Model):
    """A document, whole."""

    id: str
    title: str
    game: GameView
    revision: int
    nodes: list[FlatNode]
    undo: str | None
    redo: str | None


class NewDocument(Model):
    """A document to be made: of a game, or of a text with records or moves in any format that is read."""

    game: ShortText | None = None
    text: LongText | None = None
    title: ShortText | None = None


class Made(Model):
    """What was made; of a text with several records a collection, and the first of them."""

    document: DocumentEntry
    collection: CollectionEntry | None = None
    skipped: int = 0
    """Records beyond those that a collection takes."""


class Title(Model):
    """A new title."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=500)]


class Line(Model):
    """Moves to be played after a node."""

    node: int
    moves: Annotated[list[ShortText], Field(min_length=1, max_length=400)]


class Comment(Model):
    """A comment to be written."""

    node: int
    text: LongText


class Mark(Model):
    """A mark to be put on a square, or taken away."""

    node: int
    mark: ShortText
    square: SquareText


class Label(Model):
    """A text to be written on a square."""

    node: int
    square: SquareText
    text: ShortText


class SetUp(Model):
    """A position to be set up."""

    node: int
    black: Annotated[list[SquareText], Field(max_length=4000)]
    white: Annotated[list[SquareText], Field(max_length=4000)]
    turn: Literal["black", "white"] | None = None
    stones_left: int | None = None


class Info(Model):
    """What is said of the game as a whole, by SGF's names."""

    values: dict[ShortText, LongText]


class NodeOnly(Model):
    """Something to be done to a node."""

    node: int


class Promotion(Model):
    """A variation to be moved up."""

    node: int
    to_main: bool = False


class Paste(Model):
    """A text with records whose branches are to be put after a node."""

    node: int
    text: LongText
    skip: Place = 0
    """So many nodes of the text only lead to the branch that is meant."""


class Done(Model):
    """What came of an edit."""

    revision: int
    node: int


class PositionText(Model):
    """A position in words that Tengen reads everywhere."""

    text: str


class SamePosition(Model):
    """Nodes with the same position."""

    nodes: list[int]


class Found(Model):
    """Where something was found, and a bit of the text around it."""

    node: int
    excerpt: str


class Findings(Model):
    """What was found."""

    found: list[Found]
    truncated: bool


class Segment(Model):
    """A line of stones on its way to a row."""

    level: str
    kind: str
    stones: list[str]
    squares: list[str]


class SideThreats(Model):
    """What one side threatens."""

    threats: int
    segments: list[list[str]]
    defences: list[list[str]]
    lines: list[Segment]


class Hints(Model):
    """What is threatened in a position."""

    black: SideThreats
    white: SideThreats


class Question(Model):
    """An analysis to be made."""

    kind: Literal["analyse", "solve", "defend", "game", "prove"]
    document: str
    node: int
    agent: ShortText = "engine"
    lines: Annotated[int, Field(ge=1, le=32)] | None = None
    seconds: Annotated[float, Field(gt=0, le=7 * 24 * 3600)] | None = None
    nodes: Annotated[int, Field(gt=0, le=10**15)] | None = None
    win: ShortText | None = None
    side: Literal["black", "white"] | None = None
    order: Annotated[int, Field(ge=1, le=8)] | None = None
    zones: bool | None = None
    policy: ShortText | None = None
    workers: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """So many workers are enough for a proof."""
    on_grid: bool = False
    """Whether jobs of a proof run on the grid that the server was told of, instead of on this machine."""


class Hint(Model):
    """Something to tell a proof search."""

    text: ShortText


class TaskView(Model):
    """An analysis and how far it is."""

    id: int
    kind: str
    document: str
    node: int
    position: str
    options: dict[str, Any]
    state: Literal["waiting", "running", "done", "stopped", "failed"]
    seconds: float
    answer: dict[str, Any] | None
    error: str | None


class TaskList(Model):
    """All analyses that are known."""

    tasks: list[TaskView]


class PlaceView(Model):
    """Where a job can run, and what is done there."""

    worker: str
    kind: str | None
    """Of the job; None if there is none."""
    what: str
    client: str | None
    seconds: float | None
    """For how long."""
    is_mine: bool


class PauseView(Model):
    """A worker that takes no jobs."""

    worker: str
    reason: str


class ClientView(Model):
    """Somebody who has jobs for a grid."""

    name: str
    open: int
    wanted: int | None
    weight: float
    is_hungry: bool
    is_me: bool


class SystemView(Model):
    """A machine or a grid at a moment."""

    name: str
    """Of the one who was invited to a grid; of this machine, the number of its cores."""
    places: list[PlaceView]
    pauses: list[PauseView] = []
    clients: list[ClientView]
    queued: int
    done: int
    per_minute: float | None
    """Jobs done in the last minute."""
    problem: str | None = None
    is_seen: bool = True
    """Whether it was heard of yet."""


class WorkersView(Model):
    """Who works for the user."""

    local: SystemView
    grid: SystemView | None


class Branch(Model):
    """A node of a proof search whose children are wanted."""

    node: Annotated[int, Field(ge=0)]


class NewGame(Model):
    """A game to be played from a node on. Players are `person` or agents."""

    node: int
    black: ShortText
    white: ShortText
    control: ShortText = "none"


GameAct = Literal["back", "resign", "pause", "resume"]
"""What a person may do to a game besides moving."""


class PlayedMove(Model):
    """A person's move, and the node where he makes it."""

    move: ShortText
    node: int | None = None


class PlayedGameView(Model):
    """A game that is being played."""

    serial: int
    """Of two views of a game, the one with the larger number is newer."""
    document: str
    node: int
    players: dict[str, str]
    control: str
    left: dict[str, float | None]
    """Seconds on the clocks, without what the player to move is thinking now."""
    turn: Literal["black", "white"]
    thought: float
    """Seconds that he has thought so far."""
    result: str | None
    paused: bool
    problem: str | None
    """Why a program has not moved."""


class PlayedGames(Model):
    """The games that are being played."""

    games: list[PlayedGameView]


class GameChanged(Model):
    """Event: a game has gone on."""

    on: Literal["game"] = "game"
    game: PlayedGameView


class Changed(Model):
    """Event: a document has changed."""

    on: Literal["changed"] = "changed"
    document: str
    revision: int
    changes: list[Change]
    undo: str | None
    redo: str | None


class DeskChanged(Model):
    """Event: the list of documents has changed."""

    on: Literal["desk"] = "desk"
    documents: list[DocumentEntry]
    collections: list[CollectionEntry]


class TaskChanged(Model):
    """Event: an analysis has changed."""

    on: Literal["task"] = "task"
    task: TaskView


EVENTS = (Changed, DeskChanged, GameChanged, TaskChanged)
