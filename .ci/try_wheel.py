"""Tries an installed wheel as a new user would: commands, a proof, the workbench in the browser's place."""

import json
import re
import shutil
import subprocess
import urllib.request
from importlib.metadata import version

import tengen

assert not any(shutil.which(name) for name in ("c++", "g++", "clang++", "node", "npm")), (
    "these are not to be found here"
)
assert "site-packages" in tengen.__file__, "not the checkout"
assert version("tengen") == tengen.__version__


def run(*arguments: str) -> str:
    """What a command prints."""
    return subprocess.run(["tengen", *arguments], check=True, capture_output=True, text=True, timeout=600).stdout


assert tengen.__version__ in run("--version")
assert "Black wins" in run("solve", "J10 I9K9 J8L9 I11K11", "--proof", "win.tpf")
assert "accepted" in run("check", "win.tpf")
run("show", "J10 J9K11", "--png", "board.png")
assert json.loads(run("puzzle", "show", "--json")), "the puzzles that come with it"
assert json.loads(run("opening", "show", "--json")), "the atlas that comes with it"

with subprocess.Popen(
    ["tengen", "web", "--no-open", "--json", "--port", "0"], stdout=subprocess.PIPE, text=True
) as server:
    try:
        assert server.stdout is not None
        address: str = json.loads(server.stdout.readline())["address"]
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        page = opener.open(address, timeout=60).read().decode()
        (script,) = re.findall(r'src="\.?/?(assets/[^"]+\.js)"', page)
        assert len(opener.open(f"{address.split('?')[0]}{script}", timeout=60).read()) > 10_000
        assert (
            json.loads(opener.open(f"{address.split('?')[0]}api/desk", timeout=60).read())["version"]
            == tengen.__version__
        )
    finally:
        server.terminate()
print(f"the wheel of Tengen {tengen.__version__} works")
