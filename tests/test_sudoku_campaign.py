"""Campaigns: every grid counted once, whatever happens to workers and client; whoever lies is found."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest
from sudoku_tools import campaign_in_trouble
from test_cli import Run, run
from test_sudoku import EASY

from tengen.grid import GridError, Json, Pool, Task, Worker
from tengen.record import Store
from tengen.sudoku import Campaign, CampaignClient, Grid, SudokuError, campaigns, check, random_grid
from tengen.sudoku.campaign import Trust
from tengen.sudoku.jobs import check_grids

__all__ = ["run"]  # the fixture

CLUES = 13
"""Few: such a search takes some hundredths of a second."""


@pytest.fixture(scope="session")
def grid_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = Random(7)
    path = tmp_path_factory.mktemp("sudoku") / "grids.txt"
    path.write_text("".join(f"{random_grid(rng)}\n" for _ in range(12)))
    return path


def honest(campaign: Campaign, job: int) -> Json:
    checked = []
    for text in campaign.grids_of(job):
        found = check(Grid(text), campaign.clues)
        checked.append({"puzzles": [str(puzzle) for puzzle in found.puzzles], "certificate": found.certificate})
    return {"checked": checked}


def test_a_job_counts_when_two_workers_say_the_same(tmp_path: Path, grid_file: Path) -> None:
    with Store(tmp_path / "store") as store:
        campaign = Campaign.create(store, "one", grid_file, CLUES, grids_a_job=5)
        assert (campaign.jobs, campaign.grids) == (3, 12)
        assert [grid for job in range(3) for grid in campaign.grids_of(job)] == grid_file.read_text().split()
        truth = honest(campaign, 0)
        lie = {"checked": [{**said, "certificate": "0" * 16} for said in truth["checked"]]}
        assert campaign.take(0, "ann", truth, 1.0) is None
        assert campaign.state().grids_done == 0
        assert campaign.take(0, "ann", truth, 1.0) is None  # the same again is no second opinion
        assert not campaign.is_settled(0)
        reason = campaign.take(0, "bob", lie, 1.0)
        assert reason is not None
        assert list(campaign.liars) == ["bob"]
        again = Campaign(store, "one")  # after a kill
        assert again.answered_by(0) == {"ann"}
        assert list(again.liars) == ["bob"]
        assert again.take(0, "bob", truth, 1.0) is not None  # who has lied is not believed
        assert again.take(0, "carl", truth, 1.0) is None
        assert again.is_settled(0)
        assert again.take(0, "dora", truth, 1.0) is None  # too late, and not counted twice
        assert again.state().grids_done == 5
        # He who comes first may be the liar too.
        assert again.take(1, "eve", lie, 1.0) is None
        assert again.take(1, "ann", honest(again, 1), 1.0) is None
        assert "eve" in again.liars
        assert again.answered_by(1) == {"ann"}


def test_one_worker_is_checked_by_certificates(tmp_path: Path, grid_file: Path) -> None:
    with Store(tmp_path / "store") as store:
        campaign = Campaign.create(store, "one", grid_file, CLUES, trust="sample", grids_a_job=4)
        truth = honest(campaign, 0)
        assert campaign.take(0, "ann", truth, 1.0) is None
        assert campaign.is_settled(0)
        assert campaign.take(1, "bob", truth, 1.0) is not None  # the answers to another job
        nonsense: list[Json] = [{}, {"checked": []}, {"checked": [{"puzzles": [EASY], "certificate": ""}] * 4}]
        for wrong in nonsense:
            name = f"worker-{len(campaign.liars)}"
            assert campaign.take(1, name, wrong, 1.0) is not None
        assert not campaign.is_settled(1)


def invented(campaign: Campaign, job: int) -> Json:
    return {"checked": [{"puzzles": [], "certificate": f"{n:016x}"} for n, _ in enumerate(campaign.grids_of(job))]}


def test_two_workers_that_collude_finish_nothing(tmp_path: Path, grid_file: Path) -> None:
    with Store(tmp_path / "store") as store:
        campaign = Campaign.create(store, "one", grid_file, CLUES, grids_a_job=4)
        assert campaign.take(0, "eve", invented(campaign, 0), 1.0) is None
        assert campaign.take(0, "mallory", invented(campaign, 0), 1.0) is not None
        assert set(campaign.liars) == {"eve", "mallory"}
        assert campaign.state().grids_done == 0
        for worker in ("ann", "bob"):
            assert campaign.take(0, worker, honest(campaign, 0), 1.0) is None
        assert campaign.state().grids_done == 4


@pytest.mark.parametrize("trust", ["compare", "sample"])
def test_a_worker_that_is_wrong_about_one_grid_in_ten_is_found(tmp_path: Path, grid_file: Path, trust: Trust) -> None:
    grids = tmp_path / "many.txt"
    grids.write_text(grid_file.read_text() * 10)  # 120 grids, of which 12 answers will be wrong
    with Store(tmp_path / "store") as store:
        campaign = Campaign.create(store, "one", grids, CLUES, trust=trust, grids_a_job=10, recomputed_share=0.3)
        campaign._rng = Random(1)  # type: ignore[assignment]
        for job in range(campaign.jobs):
            checked = honest(campaign, job)["checked"]
            checked[job % 10] = {"puzzles": [], "certificate": "0" * 16}
            for worker in ("eve", "mallory") if trust == "compare" else ("eve",):
                campaign.take(job, worker, {"checked": checked}, 1.0)
        assert "eve" in campaign.liars
        assert campaign.state().grids_done == 0


def test_the_report_states_the_residual_probability(tmp_path: Path, grid_file: Path) -> None:
    with Store(tmp_path / "store") as store:
        campaign = Campaign.create(store, "one", grid_file, CLUES, trust="sample", grids_a_job=6, recomputed_share=0.5)
        assert campaign.state().assurance.as_json()["largest_wrong_share"] == 1
        for job in range(2):
            assert campaign.take(job, "ann", honest(campaign, job), 1.0) is None
        assurance = campaign.state().assurance
        assert assurance.recomputed == 6
        assert assurance.residual_probability(0.1) == pytest.approx(0.9**6)
        assert assurance.residual_probability(assurance.largest_wrong_share) == pytest.approx(0.05)
        with pytest.raises(SudokuError, match="share of grids to recompute"):
            Campaign.create(store, "two", grid_file, CLUES, recomputed_share=0.0)


def test_the_second_worker_belongs_to_a_random_other_owner(tmp_path: Path, grid_file: Path) -> None:
    class Present(Pool):
        """Workers of three owners."""

        def workers(self) -> list[Worker]:
            return [Worker(name) for name in ("eve-1", "eve-2", "eve-3", "ann-1", "bob-1")]

    with Store(tmp_path / "store") as store, Present(1) as system:
        campaign = Campaign.create(store, "one", grid_file, CLUES, grids_a_job=4)
        client = CampaignClient(campaign, system)
        campaign.take(0, "eve-1", invented(campaign, 0), 1.0)
        chosen = {client._second_opinion(set()) for _ in range(100)}
        assert chosen == {(0, "ann-1"), (0, "bob-1")}


def test_what_was_settled_on_the_word_of_a_liar_alone_is_done_again(tmp_path: Path, grid_file: Path) -> None:
    with Store(tmp_path / "store") as store:
        campaign = Campaign.create(store, "one", grid_file, CLUES, trust="sample", grids_a_job=4)
        assert campaign.take(0, "bob", honest(campaign, 0), 1.0) is None
        assert campaign.take(1, "ann", honest(campaign, 1), 1.0) is None
        assert campaign.take(2, "bob", honest(campaign, 1), 1.0) is not None
        for known in (campaign, Campaign(store, "one")):
            assert list(known.open_jobs()) == [0, 2]
            assert known.state().grids_done == 4
        assert campaign.take(0, "ann", honest(campaign, 0), 1.0) is None
        assert campaign.state().grids_done == 8


def test_what_an_honest_worker_has_confirmed_stays_settled(tmp_path: Path, grid_file: Path) -> None:
    with Store(tmp_path / "store") as store:
        campaign = Campaign.create(store, "one", grid_file, CLUES, grids_a_job=6)
        for worker in ("ann", "bob"):
            assert campaign.take(0, worker, honest(campaign, 0), 1.0) is None
        assert campaign.take(1, "bob", {}, 1.0) is not None
        assert list(campaign.open_jobs()) == [1]


@pytest.mark.parametrize("trust", ["compare", "sample"])
def test_an_answer_of_another_shape_is_a_lie_and_ends_nothing(tmp_path: Path, grid_file: Path, trust: Trust) -> None:
    with Store(tmp_path / "store") as store:
        campaign = Campaign.create(store, "one", grid_file, CLUES, trust=trust, grids_a_job=12)
        truth = honest(campaign, 0)["checked"]
        certificates: list[object] = [5, None, "", "\ud800" * 16, []]
        puzzles: list[object] = [5, "", [5], [None], [int("1" * 81)], [EASY, EASY]]
        changes = [("certificate", said) for said in certificates] + [("puzzles", said) for said in puzzles]
        for number, (name, said) in enumerate(changes):
            wrong = [*truth[:-1], {**truth[-1], name: said}]  # of one grid, so that a sample may well miss it
            assert campaign.take(0, f"worker-{number}", {"checked": wrong}, 1.0) is not None
        assert not campaign.is_settled(0)
        assert campaign.take(0, "ann", {"checked": truth}, 1.0) is None


def test_a_campaign_that_makes_no_sense_is_refused(tmp_path: Path, grid_file: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_text(grid_file.read_text())
    with Store(tmp_path / "store") as store:
        Campaign.create(store, "one", copy, 16)
        with pytest.raises(SudokuError, match="already"):
            Campaign.create(store, "one", copy, 16)
        copy.write_text(copy.read_text() + EASY + "\n")
        with pytest.raises(SudokuError, match="has changed"):
            Campaign(store, "one")
        copy.write_text(EASY + "\n123\n")
        with pytest.raises(SudokuError, match=r"grid 2: a grid has 81 cells"):
            Campaign.create(store, "two", copy, 16)
        with pytest.raises(SudokuError, match="no campaign"):
            Campaign(store, "three")


def test_a_campaign_on_this_machine_is_stopped_and_goes_on(tmp_path: Path, grid_file: Path) -> None:
    with Store(tmp_path / "store") as store:
        campaign = Campaign.create(store, "one", grid_file, CLUES, grids_a_job=2)
        pool = Pool(2)
        client = CampaignClient(campaign, pool)
        client.run(tell=lambda: client.stop() if campaign.grids_done else None)
        pool.close()  # as if it were killed: what was on its way is in the checkpoint
        again = Campaign(store, "one")
        assert 0 < again.grids_done < 12
        kept = again.checkpoint()
        pool = Pool(2, resume=kept["system"])
        client = CampaignClient(again, pool)
        client.run()
        pool.close()
        assert again.state().is_done
        assert again.state().grids_done == 12
        with store.transaction() as connection:
            workers = connection.execute("SELECT workers FROM campaign_job").fetchall()
        assert all(len(names.split()) == 2 for (names,) in workers)


def test_every_grid_counts_once_though_a_worker_lies_another_dies_and_the_client_is_killed(
    tmp_path: Path, grid_file: Path
) -> None:
    state, grids, liar = campaign_in_trouble(tmp_path, grid_file, CLUES, 1)
    assert state.is_done
    assert grids == [1] * 12
    assert list(state.liars) == [liar]


def test_the_command_runs_a_campaign_and_tells_how_far_it_is(run: Run, grid_file: Path) -> None:
    words = ("sudoku", "campaign", str(grid_file), "--clues", str(CLUES), "--grid", "local:2", "--grids-a-job", "4")
    code, out, err = run(*words, "--seconds", "0.001", "--json")
    assert code == 2, err
    assert not json.loads(out)["done"]
    code, out, _ = run("sudoku", "campaign", "--resume", "--grid", "local:2", "--json")
    assert code == 0
    assert json.loads(out)["grids_done"] == 12
    assert "12 of 12 grids checked" in run("sudoku", "campaign", "--status")[1]
    code, _, err = run(*words)
    assert code == 3
    assert "already" in err
    assert "takes two" in run("sudoku", "campaign", "--resume", "--grid", "local:1")[2]
    assert run("sudoku", "campaign", "--status", "--clues", str(CLUES), "--grids-a-job", "4")[0] == 0
    for change in (("--clues", str(CLUES + 1)), ("--grids-a-job", "5"), ("--sample",)):
        code, _, err = run("sudoku", "campaign", "--resume", *change)
        assert (code, f"has begun with --clues {CLUES} --grids-a-job 4" in " ".join(err.split())) == (3, True)


def test_what_cannot_be_begun_leaves_no_campaign(run: Run, grid_file: Path) -> None:
    begin = ("sudoku", "campaign", str(grid_file), "--clues", str(CLUES))
    assert run(*begin, "--grid", "local:1")[0] == 3
    assert run(*begin, "--grid", "nowhere.grid")[0] == 4
    with Store() as store:
        assert campaigns(store) == []


def test_a_machine_with_one_core_compares_two_workers_as_well(
    run: Run, grid_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def refuse(where: str, **_: object) -> NoReturn:
        asked.append(where)
        raise GridError("not today")

    monkeypatch.setattr("tengen.cli.sudoku.CORES", 1)
    monkeypatch.setattr("tengen.cli.sudoku.open_jobs", refuse)
    for trust in ((), ("--sample",)):
        assert "not today" in run("sudoku", "campaign", str(grid_file), *trust)[2]
    assert asked == ["local:2", "local"]


def test_the_handler_refuses_nonsense_and_hears_an_abort() -> None:
    with pytest.raises(SudokuError, match="list of grids"):
        check_grids({"grids": 3}, Task(print))
    task = Task(lambda figures: None)
    task.control.stop()
    with pytest.raises(SudokuError, match="stopped"):
        check_grids({"grids": [EASY], "clues": 17}, task)
    assert len(list(islice(check_grids({"grids": [EASY], "clues": 12}, Task(print))["checked"], 2))) == 1
