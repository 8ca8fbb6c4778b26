"""A connection that is made again whenever it is lost, whatever was going on."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from grid_backends import free_port
from nats.aio.client import Client

from tengen.grid.broker import Broker
from tengen.grid.errors import GridError
from tengen.grid.link import TROUBLE, Link, end_all


def test_a_link_is_made_again_though_it_broke_with_much_to_send(tmp_path: Path) -> None:
    """The library does not tell of such a loss: the link used to wait for that for ever, and its client with it."""
    broker = Broker(tmp_path / "broker", port=free_port())
    server = broker.start(tmp_path / "log")
    invitation = broker.invite("tester", "client")
    servers = [server]
    events: list[str] = []

    async def opened(_client: Client) -> None:
        events.append("opened")

    async def chatter(link: Link) -> None:
        while True:
            client = await link.opened()
            with contextlib.suppress(*TROUBLE):
                await client.publish("client.tester", bytes(20_000))
            await asyncio.sleep(0)

    async def lose_and_find_again() -> None:
        link = Link(
            *(invitation.url, invitation.certificate, invitation.seed, "tester", opened, lambda: events.append("lost"))
        )
        tasks = [asyncio.ensure_future(link.run()), *(asyncio.ensure_future(chatter(link)) for _ in range(3))]
        async with asyncio.timeout(90):
            for _ in range(2):
                await link.opened()
                await asyncio.sleep(0.2)
                seen = events.count("lost")
                servers[-1].kill()
                servers[-1].wait()
                while events.count("lost") == seen:
                    await asyncio.sleep(0.01)
                servers.append(await asyncio.to_thread(broker.start, tmp_path / "log"))
            await link.opened()
        await end_all(tasks)

    try:
        asyncio.run(lose_and_find_again())
    finally:
        servers[-1].kill()
        servers[-1].wait()
    assert events == ["opened", "lost", "opened", "lost", "opened"]


def test_a_link_that_cannot_be_set_up_is_given_up_as_one_that_cannot_be_made(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", port=free_port())
    server = broker.start(tmp_path / "log")
    invitation = broker.invite("tester", "client")

    async def fail(_client: Client) -> None:
        raise OSError("the streams are not there")

    async def give_up() -> None:
        link = Link(invitation.url, invitation.certificate, invitation.seed, "tester", fail)
        async with asyncio.timeout(60):
            await link.run(patience=0.1)

    try:
        with pytest.raises(GridError, match="the streams are not there"):
            asyncio.run(give_up())
    finally:
        server.kill()
        server.wait()


def test_a_broker_can_be_used_from_within_a_loop(tmp_path: Path) -> None:
    """As in a notebook, where one always runs."""
    broker = Broker(tmp_path / "broker", port=free_port())

    async def use() -> str:
        server = broker.start(tmp_path / "log")
        try:
            return broker.invite("tester", "client").name
        finally:
            server.kill()
            server.wait()

    assert asyncio.run(use()) == "tester"
