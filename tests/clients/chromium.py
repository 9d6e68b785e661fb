"""Chromium without a window, spoken to through a pipe in its DevTools protocol: no driver and no socket."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAM = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
         "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage")
PATIENCE_S = 60
CHUNK = 1 << 20


class Chromium:
    """A browser with one page; what it asks the network for, what scripts fail and what policies refuse is noted."""

    def __init__(self, width: int = 1280, height: int = 800):
        self._folder = tempfile.mkdtemp(prefix="chromium-")
        self._to_browser, self._from_browser = os.pipe(), os.pipe()
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{self._to_browser[0]} 4>&{self._from_browser[1]}', PROGRAM, *FLAGS,
             f"--user-data-dir={self._folder}", f"--window-size={width},{height}", "about:blank"],
            pass_fds=(self._to_browser[0], self._from_browser[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(self._to_browser[0])
        os.close(self._from_browser[1])
        self._number, self._held, self._session = 0, b"", None
        self.requests: list[str] = []
        self.complaints: list[str] = []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.size(width, height)

    def size(self, width: int = 1280, height: int = 800) -> None:
        """Make the page as large as that."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self) -> None:
        os.close(self._to_browser[1])
        os.close(self._from_browser[0])
        self._process.terminate()
        self._process.wait(PATIENCE_S)
        shutil.rmtree(self._folder, ignore_errors=True)

    def call(self, method: str, **parameters) -> dict:
        """Ask for something and wait for the answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to_browser[1], data):]
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _read(self) -> dict:
        while b"\0" not in self._held:
            part = os.read(self._from_browser[0], CHUNK)
            if not part:
                raise RuntimeError("Chromium has ended")
            self._held += part
        message, _, self._held = self._held.partition(b"\0")
        heard = json.loads(message)
        self._note(heard.get("method"), heard.get("params", {}))
        return heard

    def _note(self, event: str | None, told: dict) -> None:
        if event == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(str(told["exceptionDetails"].get("exception", {}).get("description")
                                       or told["exceptionDetails"]["text"]))
        elif event == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(part.get("value", part.get("description"))) for part in told["args"]))
        elif event == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.complaints.append(told["entry"]["text"])

    def open(self, path: Path, view: str = "") -> None:
        """Open a report from disk and wait until it is shown."""
        self.requests.clear()
        self.complaints.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=f"{path.resolve().as_uri()}{'#' + view if view else ''}")
        self.wait("document.documentElement?.dataset.ready")

    def run(self, script: str):
        """The value of an expression in the page; one that is awaited is waited for."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def wait(self, script: str):
        """Ask again until the answer is yes."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            if value := self.run(script):
                return value
            time.sleep(0.02)
        raise TimeoutError(f"{script} did not come true in {PATIENCE_S} s")

    def colours(self, scheme: str) -> None:
        """Let the system prefer light or dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def key(self, key: str) -> None:
        """Press a key."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def mouse(self, kind: str, x: float, y: float, **more) -> None:
        """Move, press or release the mouse, or turn its wheel."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def screenshot(self, path: Path) -> None:
        """What the page looks like, after what was asked to be drawn is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
