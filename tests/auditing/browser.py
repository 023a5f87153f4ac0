"""A real browser for tests: headless Chromium, spoken to over two pipes.

The DevTools protocol over pipes is one JSON object for each message, ended by a zero byte.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60.0
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    "--proxy-server=127.0.0.1:9",
)
# The browser reads messages from descriptor 3 and writes them to 4.
_LAUNCH = """
import fcntl, os, sys
reads, writes = (fcntl.fcntl(int(each), fcntl.F_DUPFD, 10) for each in sys.argv[1:3])
os.dup2(reads, 3)
os.dup2(writes, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_browser() -> str | None:
    """Return the path of a Chromium: that of SYNTHGEN_CHROMIUM, or one of the usual names."""
    asked = os.environ.get("SYNTHGEN_CHROMIUM")
    return asked or next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page of a headless browser; events are kept in the order in which they came."""

    def __init__(self, path: str, home: Path) -> None:
        reads, self._out = os.pipe()
        self._in, writes = os.pipe()
        flags = (*_FLAGS, f"--user-data-dir={home}", "about:blank")
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, str(reads), str(writes), path, *flags],
            pass_fds=(reads, writes),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(reads)
        os.close(writes)
        self.events: list[dict[str, Any]] = []
        self._number = 0
        self._buffer = b""
        self._session: str | None = None

    def __enter__(self) -> Browser:
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(each["targetId"] for each in targets if each["type"] == "page")
        attached = self.send("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])

    def open(
        self, path: Path, width: int = 1100, height: int = 900, *, phone: bool = False
    ) -> None:
        """Open a file without a network in a window of some size, and wait until it is drawn."""
        self.size(width, height, phone=phone)
        self.send(
            "Network.emulateNetworkConditions",
            offline=True, latency=0, downloadThroughput=0, uploadThroughput=0,
        )  # fmt: skip
        self.events.clear()
        self.send("Page.navigate", url=path.as_uri())
        self.wait("Page.loadEventFired")

    def size(self, width: int, height: int, *, phone: bool = False) -> None:
        """Set the size of the window in pixels of the page."""
        scale = 2 if phone else 1
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=phone,
        )  # fmt: skip

    def scheme(self, name: str) -> None:
        """Prefer "light" or "dark" colours."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.send("Emulation.setEmulatedMedia", features=features)

    def wait(self, method: str) -> None:
        """Wait for an event."""
        while not any(event["method"] == method for event in self.events):
            self._receive()

    def run(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{expression}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press a key: its name, as in KeyboardEvent.key."""
        codes = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37,
                 "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}  # fmt: skip
        text = {"Enter": "\r", " ": " "}.get(key)
        common = {
            "key": key, "code": "Space" if key == " " else key, "modifiers": 8 if shift else 0,
            "windowsVirtualKeyCode": codes[key],
        }  # fmt: skip
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.send("Input.dispatchKeyEvent", **down, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def complaints(self) -> list[str]:
        """Return errors and warnings of the page since it was opened."""
        self.run("0")
        found = []
        for event in self.events:
            params = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(params["exceptionDetails"]))
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(str(params["args"]))
            elif event["method"] == "Log.entryAdded":
                found.append(str(params["entry"]))
        return found

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since the page was opened."""
        self.run("0")
        sent = [each for each in self.events if each["method"] == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def refused(self) -> list[str]:
        """Return why requests were stopped before they were sent."""
        self.run("0")
        ended = [each for each in self.events if each["method"] == "Network.loadingFailed"]
        return [event["params"].get("blockedReason", "") for event in ended]

    def _receive(self) -> dict[str, Any]:
        """Read the next message, and keep it if it is an event."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            chunk = os.read(self._in, 1 << 16) if ready else b""
            if not chunk:
                raise TimeoutError("the browser has ended or does not answer")
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message
