"""A campaign in trouble, for tests and measurements: a worker lies, another is killed, and so is the client."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from grid_backends import free_port

from tengen.grid.broker import Broker
from tengen.grid.client import GridClient
from tengen.grid.keys import Invitation
from tengen.record import Store
from tengen.sudoku import Campaign, CampaignClient, CampaignState

FAMOUS = "639241785284765193517983624123857946796432851458619237342178569861594372975326418"
"""Royle's grid with 29 puzzles of 17 clues, from the thesis."""

_WORKER = """
import sys
from tengen.grid.keys import Invitation
from tengen.grid.worker import work
work(Invitation.read(sys.argv[1]), 1, nice=False, version="test", tell=lambda sentence: None)
"""
_CLIENT = """
import sys
from tengen.grid import open_jobs
from tengen.record import Store
from tengen.sudoku import Campaign, CampaignClient
store, name, file, clues, grids_a_job, invitation = sys.argv[1:]
campaign = Campaign.create(Store(store), name, file, int(clues), grids_a_job=int(grids_a_job))
system = open_jobs(invitation)
while len({worker.name for worker in system.workers()}) < 3:  # all are there, the liar too
    system.next_event(0.1)
CampaignClient(campaign, system).run(tell=lambda: print(campaign.grids_done, flush=True))
system.close()
"""
_LIE = """
import tengen.sudoku.jobs as jobs
def lie(arguments, task):
    return {"checked": [{"puzzles": [], "certificate": f"{hash(text) % 2**64:016x}"} for text in arguments["grids"]]}
jobs.check_grids = lie
"""


def campaign_in_trouble(folder: Path, file: Path, clues: int, grids_a_job: int) -> tuple[CampaignState, list[int], str]:
    """Runs it; returns its last state, how many grids each settled job had, and the name of the liar."""
    broker = Broker(folder / "broker", port=free_port())
    server = broker.start(folder / "broker.log")
    names = {"honest-1": {}, "honest-2": {}, "liar": {"PYTHONPATH": _liar(folder)}}
    for name in names:
        broker.invite(name, "worker").write(folder / f"{name}.grid")
    broker.invite("me", "client").write(folder / "me.grid")
    workers = {name: _start(_WORKER, str(folder / f"{name}.grid"), more=more) for name, more in names.items()}
    store = folder / "store.sqlite3"
    words = [str(store), "trouble", str(file), str(clues), str(grids_a_job), str(folder / "me.grid")]
    client = _start(_CLIENT, *words, stdout=subprocess.PIPE)
    try:
        assert client.stdout is not None
        for line in client.stdout:  # until something is settled: then the client is killed, and a worker
            if int(line) > 0:
                break
        client.kill()
        client.communicate()
        workers["honest-1"].kill()
        workers["honest-1"].wait()
        workers["honest-1"] = _start(_WORKER, str(folder / "honest-1.grid"), more={})
        with Store(store) as again:
            campaign = Campaign(again, "trouble")
            kept = campaign.checkpoint()
            system = GridClient(Invitation.read(folder / "me.grid"), resume=None if kept is None else kept["system"])
            try:
                CampaignClient(campaign, system).run()
            finally:
                system.close()
            with again.transaction() as connection:
                grids = [number for (number,) in connection.execute("SELECT grids FROM campaign_job ORDER BY job")]
            return campaign.state(), grids, "liar"
    finally:
        for process in (client, *workers.values(), server):
            process.kill()
            process.wait()


def _liar(folder: Path) -> str:
    """A folder that makes every Python that has it on its path lie about Sudoku."""
    place = folder / "lies"
    place.mkdir()
    (place / "sitecustomize.py").write_text(_LIE)
    return str(place)


def _start(
    program: str, *words: str, more: dict[str, str] | None = None, stdout: int | None = None
) -> subprocess.Popen[bytes]:
    environment = {**os.environ, **(more or {})}
    return subprocess.Popen(
        [sys.executable, "-c", program, *words], env=environment, stdout=stdout, stderr=subprocess.DEVNULL
    )
