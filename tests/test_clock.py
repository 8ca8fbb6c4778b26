"""Time controls: as the seeds word them, and what a clock makes of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import TengenError
from tengen.play import Budget
from tengen.play.clock import Clock, TimeControl


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("1s/move", TimeControl(move=1)),
        ("500ms/move", TimeControl(move=0.5)),
        ("30m", TimeControl(base=1800)),
        ("olympiad", TimeControl(base=1800)),
        ("5m+2s", TimeControl(base=300, increment=2)),
        ("1h30m + 10s", TimeControl(base=5400, increment=10)),
        ("80m/10x60s", TimeControl(base=4800, long_moves=10, long_time=60)),
        ("Man-Machine", TimeControl(base=4800, long_moves=10, long_time=60)),
        ("none", TimeControl()),
    ],
)
def test_time_controls_are_written_as_people_do(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize(
    "text", ["", "1", "s", "1s/", "5m+", "5m+2", "80m/10x", "0s", "-1s", "9000h", "1s/move+2s", "1e3s"]
)
def test_what_is_no_time_control_is_refused(text: str) -> None:
    with pytest.raises(TengenError, match="no time"):
        TimeControl.parse(text)


@given(st.integers(1, 600_000), st.integers(0, 60_000), st.sampled_from(["move", "base", "long"]))
def test_every_time_control_can_be_written_and_read(milliseconds: int, more: int, kind: str) -> None:
    seconds, others = milliseconds / 1000, more / 1000
    control = {
        "move": TimeControl(move=seconds),
        "base": TimeControl(base=seconds, increment=others),
        "long": TimeControl(base=seconds, long_moves=more, long_time=others or 1.0),
    }[kind]
    if kind != "long" or more < 10_000:
        assert TimeControl.parse(str(control)) == control


def test_time_for_each_move() -> None:
    clock = Clock(TimeControl.parse("1s/move"), tolerance=0.25)
    assert (clock.budget(nodes=7).seconds, clock.budget(nodes=7).nodes, clock.budget().remaining) == (1, 7, None)
    assert [clock.spend(seconds) for seconds in (0.5, 1.2, 1.25)] == [None, None, None]
    assert "1.30 s for a move instead of 1 s" in (clock.spend(1.3) or "")
    assert clock.used == pytest.approx(4.25)


def test_thirty_minutes_for_all_moves() -> None:
    """13th Computer Olympiad: every program had to complete all of its moves in 30 minutes."""
    clock = Clock(TimeControl.parse("olympiad"), tolerance=0.25)
    assert clock.budget().remaining == 1800
    for _ in range(10):
        assert clock.spend(180) is None
    # The tolerance is granted once for the whole game.
    assert clock.spend(0.2) is None
    assert clock.budget().remaining == pytest.approx(0.001)
    assert "all moves" in (clock.spend(0.1) or "")


def test_an_increment_is_added_after_each_move() -> None:
    clock = Clock(TimeControl.parse("10s+2s"), tolerance=0)
    assert (clock.budget().remaining, clock.budget().increment) == (10, 2)
    assert clock.spend(9) is None
    assert clock.left == pytest.approx(3)
    assert clock.spend(3.5) is not None


def test_eighty_minutes_then_ten_moves_over_a_minute() -> None:
    """The man-machine championship: everybody played freely during the first 80 minutes; after that he had at most
    10 times to play moves that took more than one minute, or lost."""
    clock = Clock(TimeControl.parse("man-machine"), tolerance=0)
    assert clock.budget().remaining == 4800
    assert clock.spend(4790) is None  # freely: as long as he likes
    assert clock.budget().seconds == 70  # the rest of it, and a minute that costs nothing
    assert clock.spend(65) is None
    assert clock.long_moves_left == 10
    assert clock.budget().seconds == 60
    for _ in range(20):
        assert clock.spend(60) is None  # not more than one minute
    for left in range(9, -1, -1):
        assert clock.deadline() is None
        assert clock.spend(61) is None
        assert clock.long_moves_left == left
    assert clock.deadline() == 60
    assert clock.spend(60) is None
    assert "no more long moves" in (clock.spend(61) or "")


def test_no_limit_at_all() -> None:
    clock = Clock(TimeControl())
    assert clock.deadline() is None
    assert clock.spend(1e6) is None
    assert clock.budget(nodes=5, depth=3).seconds is None


def test_a_clock_is_shared_out() -> None:
    assert Budget().time_limit() is None
    assert Budget(seconds=2).time_limit() == 2
    assert Budget(remaining=60).time_limit() == 2
    assert Budget(seconds=1, remaining=60).time_limit() == 1
    assert Budget(remaining=0.5, increment=10).time_limit() == 0.4
    assert Budget(remaining=0).time_limit() == 0.001
