# Every target sets up what it needs by itself in .venv; the first run takes a few minutes, later ones none.
#
#   make report   probe, measure and print a recommendation
#   make test     all tests
#   make app      open the window
#   make bench    times and memory as ratios against plain programs
#   make check    style, types, import rules, spelling
#
# The CPU build of torch is taken by default. With an NVIDIA driver present, take the CUDA build instead:
#   make report TORCH_INDEX=https://download.pytorch.org/whl/cu126

PYTHON ?= $(firstword $(shell command -v python3.11) $(shell command -v python3) python3)
VENV ?= .venv
TORCH ?= torch==2.13.0
TORCH_INDEX ?=
REPORT_ARGS ?=

PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
RUN := $(VENV)/.run-ready
TEST := $(VENV)/.test-ready
DEV := $(VENV)/.dev-ready

.PHONY: report app test bench check catalog locale validate clean

report: $(RUN)
	$(PY) -m advisor --report $(REPORT_ARGS)

app: $(RUN)
	@sh tools/system_packages.sh window
	$(PY) -m advisor

test: $(TEST)
	@sh tools/system_packages.sh window
	$(PY) -m pytest

bench: $(TEST)
	@sh tools/system_packages.sh window
	$(PY) tools/bench.py

check: $(DEV)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/codespell advisor tests tools packaging README.md CHANGELOG.md DECISIONS.md
	$(PY) tools/locale_catalogue.py --check

catalog: $(DEV)
	$(PY) tools/make_catalog.py

locale: $(DEV)
	$(PY) tools/locale_catalogue.py

validate: $(DEV)
	$(PY) tools/fit/validate.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache

# torch comes first and alone: a later package that asks for "torch" then finds it and draws no other build.
$(VENV)/.torch-ready:
	@sh tools/system_packages.sh python $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	@touch $@

$(RUN): $(VENV)/.torch-ready pyproject.toml
	$(PIP) install --quiet --editable .
	@touch $@

$(TEST): $(RUN)
	$(PIP) install --quiet --editable '.[test]'
	@touch $@

$(DEV): $(TEST)
	$(PIP) install --quiet --editable '.[dev]'
	@touch $@
