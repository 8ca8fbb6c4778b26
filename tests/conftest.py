import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from grid_backends import Backend, NatsBackend, PoolBackend
from grid_handlers import install
from hypothesis import settings

pytest_plugins = ["browser_fixtures"]

# A slow machine is no failure.
settings.register_profile("tengen", deadline=None)
settings.load_profile("tengen")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the user's library."""
    folder = tmp_path / "tengen-data"
    monkeypatch.setenv("TENGEN_DATA", str(folder))
    return folder


def shared_data(name: str) -> Path:
    """A file of real data that stands beside the checkout, where it does."""
    path = SHARED_DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not beside this checkout")
    return path


@pytest.fixture(scope="session")
def grid_handlers_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Lets the processes that tests start find the handlers of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", install(tmp_path_factory.mktemp("handlers")))
        yield


@pytest.fixture(scope="session")
def nats_backend(grid_handlers_path: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsBackend]:
    """A broker with two workers, on loopback."""
    backend = NatsBackend(tmp_path_factory.mktemp("grid"))
    yield backend
    backend.close()


@pytest.fixture
def backend(request: pytest.FixtureRequest, grid_handlers_path: None) -> Iterator[Backend]:
    """A kind of job system, by its name."""
    backend: Backend = PoolBackend() if request.param == "pool" else request.getfixturevalue("nats_backend")
    yield backend
    backend.close_clients()


# Started in the background, a shell lets its commands ignore Ctrl-C, and their children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
