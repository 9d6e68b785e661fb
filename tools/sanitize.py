"""Run tests of compiled code under AddressSanitizer and UndefinedBehaviorSanitizer.

    python tools/sanitize.py            # kernels, recorder, core and hostile calls
    python tools/sanitize.py --short    # the part that `make test` runs

The extensions are built in build/sanitized, beside a copy of the sources. Only they are instrumented: what NumPy and
CPython do inside is theirs, so there is nothing to suppress. Where the compiler has no sanitizers, it says so and
succeeds.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TREE = ROOT / "build/sanitized"
CHECKS = "-fsanitize=address,undefined"
CFLAGS = f"-O0 -g1 -fno-omit-frame-pointer {CHECKS}"  # unoptimised code is built four times as fast
HUGE_MB = 4096  # an allocation beyond this fails, as it would without a sanitizer
TESTS = ("devices", "record", "core")
SHORT_TESTS = ("devices/cpu/test_hostile.py", "core/test_borders.py", "core/test_describe.py", "record/test_rows.py")
HOSTILE_CALLS, SHORT_HOSTILE_CALLS = 2000, 200


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="the quickest tests only")
    short = parser.parse_args().short
    libraries = preloaded()
    if not libraries:
        print("this compiler has no AddressSanitizer: nothing was checked")
        return 0
    copy_sources()
    build()
    environment = sanitized(libraries)
    tests = [str(ROOT / "tests/mindtorch_v2" / name) for name in (SHORT_TESTS if short else TESTS)]
    run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests], environment)
    calls = SHORT_HOSTILE_CALLS if short else HOSTILE_CALLS
    run([sys.executable, str(ROOT / "tools/fuzz_hostile.py"), "--calls", str(calls), "--seconds", "120"], environment)
    return 0


def preloaded() -> list[str]:
    """The sanitizer's library, which has to be in the process before Python is; none where there is no such thing."""
    compiler = os.environ.get("CC", "gcc").split()[-1]
    if sys.platform != "linux" or shutil.which(compiler) is None:
        return []
    found = subprocess.run([compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    path = found.stdout.strip()
    return [path] if os.path.isabs(path) else []


def copy_sources() -> None:
    """Bring the copy up to date; unchanged files keep their time, so that only what changed is built again."""
    TREE.mkdir(parents=True, exist_ok=True)
    for name in ("setup.py", "pyproject.toml", "README.md"):
        copy_changed(ROOT / name, TREE / name)
    for suffixes in ((".py", ".pyx", ".pxd", ".h"), (".c",)):  # C last: it is newer than what it was made from
        for source in (ROOT / "src").rglob("*"):
            if source.suffix in suffixes:
                copy_changed(source, TREE / source.relative_to(ROOT))


def copy_changed(source: Path, target: Path) -> None:
    if not target.exists() or source.read_bytes() != target.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def build() -> None:
    environment = {**os.environ, "MINDTORCH_CFLAGS": CFLAGS, "LDFLAGS": CHECKS, "MINDTORCH_REQUIRE_COMPILED": "1",
                   "MINDTORCH_TYPED_ONLY": "1"}  # files without types are as safe as Python
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=TREE, env=environment, check=True,
                   stderr=subprocess.DEVNULL if not os.environ.get("VERBOSE") else None)


def sanitized(libraries: list[str]) -> dict[str, str]:
    """The environment of a sanitized Python: its allocator is malloc, so that every object has fences around it."""
    return {
        **os.environ,
        "PYTHONPATH": str(TREE / "src"),
        "PYTHONMALLOC": "malloc",
        "LD_PRELOAD": os.pathsep.join(libraries),
        "ASAN_OPTIONS": f"detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb={HUGE_MB}",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }


def run(command: list[str], environment: dict[str, str]) -> None:
    print("sanitized:", " ".join(command[1:]), flush=True)
    done = subprocess.run(command, env=environment, cwd=TREE, check=False)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    sys.exit(main())
