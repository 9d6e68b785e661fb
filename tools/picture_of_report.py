"""Take docs/report.png, the README's picture: a small GPT is profiled, and Chromium shows its report."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "report.png"
MOST_BYTES = 200_000
PROFILE = ("--steps", "10", "--shapes", "--memory", "--stack", "--flops", str(ROOT / "examples" / "train_gpt.py"),
           "--steps", "12")
# The sandbox needs rights that containers lack, and the page is our own. Below this height the page names the machine.
# Virtual time ends when the page has drawn.
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
         "--window-size=1280,675", "--virtual-time-budget=10000")


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("this needs Chromium: apt install chromium")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "mindtorch_v2", "profile", "-o", folder, *PROFILE], check=True)
        subprocess.run([chromium, *FLAGS, f"--user-data-dir={folder}/browser", f"--screenshot={PICTURE}",
                        (pathlib.Path(folder) / "report.html").as_uri()], check=True)
    if PICTURE.stat().st_size > MOST_BYTES:
        sys.exit(f"{PICTURE} has {PICTURE.stat().st_size:,} bytes, more than {MOST_BYTES:,}")


if __name__ == "__main__":
    main()
