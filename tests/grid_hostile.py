"""A worker that wants to stop everybody else: `python grid_hostile.py INVITATION BEHAVIOUR`.

fail     answers every job at once that it failed
return   returns every job at once
hold     takes as many jobs as it can, reports that it runs them, and never answers
hide     takes as many jobs as it can and reports nothing
crash    claims that every job has killed its process, three times
mix      one of these for each job, at random
Each of them claims to have very many cores.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import subprocess
import sys
from pathlib import Path

from nats.aio.client import Client
from nats.aio.msg import Msg

from tengen.grid.keys import Invitation
from tengen.grid.link import TROUBLE, connect, disconnect
from tengen.grid.messages import MAX_CORES, Outcome, ResultMessage, SlotReport, WorkerBeat, decode, encode
from tengen.grid.messages import JobMessage as Job
from tengen.grid.subjects import ANY, API, JOBS, beat_subject, last_word, own_queue, result_subject

BEHAVIOURS = ("fail", "return", "hold", "hide", "crash")
SESSIONS = 4
BATCH = 64


def start_hostile(invitation: Path, behaviour: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__, str(invitation), behaviour], stderr=subprocess.DEVNULL)


class Hostile:
    def __init__(self, invitation: Invitation, behaviour: str) -> None:
        self.invitation, self.behaviour, self.name = invitation, behaviour, invitation.name
        self.held: list[SlotReport] = []
        self.acknowledgements: dict[str, str] = {}
        self.sessions = [secrets.token_hex(8) for _ in range(SESSIONS)]

    async def run(self) -> None:
        while True:
            client: Client | None = None
            try:
                invitation = self.invitation
                client = await connect(invitation.url, invitation.certificate, invitation.seed, self.name)
                inbox = client.new_inbox()

                async def take(message: Msg, connection: Client = client) -> None:
                    await self.take(connection, message)

                await client.subscribe(inbox, cb=take)
                while not client.is_closed:
                    request = json.dumps({"batch": BATCH, "expires": 300_000_000}).encode()
                    for queue in (ANY, own_queue(self.name)):
                        await client.publish(f"{API}.CONSUMER.MSG.NEXT.{JOBS}.{queue}", request, inbox)
                    await self.beat(client)
                    for reply in self.acknowledgements.values():
                        await client.publish(reply, b"+WPI")
                    await asyncio.sleep(0.3)
            except TROUBLE:
                await asyncio.sleep(0.2)
            finally:
                if client is not None:
                    await disconnect(client)

    async def beat(self, client: Client) -> None:
        for session in self.sessions:
            beat = WorkerBeat(session=session, cores=MAX_CORES, busy=self.held[-100:], done=10**6, version="9")
            await client.publish(beat_subject(self.name), encode(beat))

    async def take(self, client: Client, message: Msg) -> None:
        if not message.reply.startswith("$JS.ACK"):
            return
        job, owner = decode(Job, message.data), last_word(message.subject)
        behaviour = random.choice(BEHAVIOURS) if self.behaviour == "mix" else self.behaviour
        if behaviour in ("hold", "hide"):
            self.acknowledgements[job.job] = message.reply
            if behaviour == "hold":
                self.held.append(SlotReport(slot=1, job=job.job, kind=job.kind, client=owner, seconds=0.0))
            return
        outcomes: dict[str, Outcome] = {"fail": "failed", "return": "returned", "crash": "crashed"}
        for _ in range(3 if behaviour == "crash" else 1):
            result = ResultMessage(job=job.job, outcome=outcomes[behaviour], attempt=9, message="no")
            await client.publish(result_subject(owner, job.job, self.name), encode(result))
        await client.publish(message.reply, b"+ACK")


if __name__ == "__main__":
    asyncio.run(Hostile(Invitation.read(sys.argv[1]), sys.argv[2]).run())
