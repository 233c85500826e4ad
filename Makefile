# Every target sets up what it needs by itself in .venv; the first run takes a few minutes, later ones none.
#
#   make report   probe, measure and print a recommendation
#   make test     all tests
#   make test-quick  those that start no process and open no window, in less than a minute
#   make test-faults  every fault of tests/faults on the real program (half an hour)
#   make test-scale  several computers by network namespaces with slow and cut links, Slurm and ssh where slurm-wlm, munge,
#                 openssh-server and ansible-core are installed, as root (a quarter of an hour, otherwise idle;
#                 ADVISOR_SCALE_RUNS=10 names what is slow ten times, SCALE_ARGS="-m brief" is what .ci/run takes)
#   make test-wine  the program for Windows and its installer under Wine: lists, reports, a real check (as root on Debian; ten minutes)
#   make fuzz     changed documents for every reader (FUZZ=1000000 for so many in all); what fails is kept in tests/fuzz/corpus
#   make soak     the window on its live page, with checks begun and cancelled (HOURS=8)
#   make app      open the window
#   make verdicts  20,000 answers to generated questions, each read against the rules that none may break (half an hour)
#   make bench    times and memory as ratios against plain programs (BENCH_ARGS=--quick for the short form)
#   make bench-data  one epoch over photos made for it, trained for real, against its prediction (twelve minutes)
#   make bench-jobs  measured jobs against plain loops of the same networks (BENCH_ARGS=--quick for four minutes)
#   make monkey   20,000 random clicks, keys, turns of the wheel, drops and resizes in the window (MONKEY_ARGS)
#   make pictures every page of the window in every language, theme and size, with the answer of a report (PICTURES_ARGS)
#   make validate predictions against public measurements, which are not part of this (MEASUREMENTS=folder)
#   make check    style, types, import rules, spelling
#   make package  the installers for this system, in dist/ (packaging/README.md)
#   make package-windows  the installer for Windows, on Debian
#   make release  signs what make package made, with the key that is given (KEY=…)
#
# The CPU build of torch is taken by default. With an NVIDIA driver present, take the CUDA build instead:
#   make report TORCH_INDEX=https://download.pytorch.org/whl/cu126

PYTHON ?= $(firstword $(shell command -v python3.11) $(shell command -v python3) python3)
VENV ?= .venv
TORCH ?= torch==2.13.0
TORCH_INDEX ?=
REPORT_ARGS ?=
BENCH_ARGS ?=
SCALE_ARGS ?=
FUZZ ?= 20000
HOURS ?= 1
MONKEY_ARGS ?=
MEASUREMENTS ?= ../shared/data

PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
RUN := $(VENV)/.run-ready
TEST := $(VENV)/.test-ready
DEV := $(VENV)/.dev-ready
FIT := $(VENV)/.fit-ready

# A package is frozen from a Python of its own; on Debian from the system's, whose library needs the least.
PACKAGE_PYTHON ?= $(if $(wildcard /usr/bin/python3),/usr/bin/python3,$(PYTHON))
PACKAGE_VENV ?= .venv.package
PACKAGE_ARGS ?=
PACKED := $(PACKAGE_VENV)/.package-ready
VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' advisor/__init__.py)

# One process more than cores, since some tests wait for what they started; each takes whole files. Compiled modules are
# kept: the tests start this program hundreds of times.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PYTEST := PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -n $(shell expr $(CORES) + 1) --maxprocesses 8 --dist loadfile \
	--no-loadscope-reorder

.PHONY: report app test test-quick test-faults test-wine test-scale fuzz soak bench bench-data bench-jobs monkey pictures check catalog locale validate measurements
.PHONY: package package-windows package-smoke package-test package-test-run package-test-pack release clean

report: $(RUN)
	$(PY) -m advisor --report $(REPORT_ARGS)

app: $(RUN)
	@sh tools/system_packages.sh window
	$(PY) -m advisor

test: $(TEST)
	@sh tools/system_packages.sh window
	$(PYTEST)

test-quick: $(TEST)
	@sh tools/system_packages.sh window
	$(PYTEST) -m "not slow"

test-faults: $(TEST)
	@sh tools/system_packages.sh window
	ADVISOR_ALL_FAULTS=1 PYTHONDONTWRITEBYTECODE= $(PY) -m pytest tests/faults

test-scale: $(TEST)
	ADVISOR_SCALE=1 PYTHONDONTWRITEBYTECODE= $(PY) -m pytest tests/scale -n 0 $(SCALE_ARGS)

# A Python for Windows is made once, from PyPI and Debian's packages; without Wine the tests are skipped, and say so.
WINE := $(CURDIR)/build/wine
SETUP := dist/advisor-$(VERSION)-setup.exe

test-wine: $(TEST)
	@sh tools/system_packages.sh wine
	@test -e $(WINE)/ready || ! command -v x86_64-w64-mingw32-gcc > /dev/null || packaging/wine/setup.sh $(WINE) $(CURDIR)/$(PY)
	@test -e $(SETUP) || ! command -v makensis > /dev/null || $(PY) tools/package_windows.py --fast
	ADVISOR_WINE=$(WINE) ADVISOR_SETUP=$(SETUP) $(PY) -m pytest tests/wine

fuzz: $(TEST)
	PYTHONDONTWRITEBYTECODE= $(PY) -m pytest tests/fuzz -n logical --maxprocesses 8
	$(PY) -m tests.fuzz.at_random --count $(FUZZ) --processes $(CORES)

soak: $(TEST)
	@sh tools/system_packages.sh window
	$(PY) tools/soak.py --hours $(HOURS)

verdicts: $(TEST)
	ADVISOR_VERDICTS=20000 $(PY) -m pytest -n logical -q --timeout=0 tests/unit/session/rules/test_verdict_rules.py

bench: $(TEST)
	@sh tools/system_packages.sh window
	$(PY) tools/bench/bench.py $(BENCH_ARGS)

bench-data: $(TEST)
	$(PY) tools/jobs/bench_data.py $(BENCH_ARGS)

bench-jobs: $(TEST)
	$(PY) tools/jobs/bench_jobs.py $(BENCH_ARGS)

# What follows the return of a system is for others; what mypy kept of one system is void on another.
ELSEWHERE = --platform $1 --cache-dir .mypy_cache/$1 --no-warn-unreachable advisor

check: $(DEV)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m mypy $(call ELSEWHERE,win32)
	$(PY) -m mypy $(call ELSEWHERE,darwin)
	$(VENV)/bin/lint-imports
	$(VENV)/bin/codespell advisor tests tools packaging README.md CHANGELOG.md DECISIONS.md
	$(PY) tools/locale_catalogue.py --check

catalog: $(DEV)
	$(PY) tools/make_catalog.py

locale: $(DEV)
	$(PY) tools/locale_catalogue.py

monkey: $(TEST)
	@sh tools/system_packages.sh window
	$(PY) tools/monkey.py $(MONKEY_ARGS)

pictures: $(TEST)
	@sh tools/system_packages.sh window
	$(PY) tools/pictures.py $(PICTURES_ARGS)

# The first run traces the 1,742 measured models of timm, which takes twenty minutes; the tables are kept in build/.
validate: measurements $(FIT)
	PYTHONPATH=tools $(PY) -m fit.measurements.trace_timm --data $(MEASUREMENTS)
	PYTHONPATH=tools $(PY) -m fit.judging.validate --data $(MEASUREMENTS)

measurements:
	@test -d $(MEASUREMENTS) || { echo "The folder of public measurements $(MEASUREMENTS) is not there; nothing can be validated."; exit 2; }

package: $(PACKED)
	@sh tools/system_packages.sh package
	$(PACKAGE_VENV)/bin/python tools/package.py frozen $(or $(PACKAGE_ARGS),deb run)

package-windows: $(TEST)
	@sh tools/system_packages.sh windows
	$(PY) tools/package_windows.py $(PACKAGE_ARGS)

package-smoke: $(TEST)
	PYTHONPATH=. $(PY) packaging/smoke.py build/package/frozen/advisor/advisor

# An older version of the same program is made first, to upgrade from.
package-test: $(PACKED)
	@sh tools/system_packages.sh package
	@sh tools/system_packages.sh virtual-screen
	$(PACKAGE_VENV)/bin/python tools/package.py deb --fast --deb-version 0.0.9
	packaging/test_deb.sh dist/advisor_$(VERSION)_amd64.deb dist/advisor_0.0.9_amd64.deb

package-test-run:
	@sh tools/system_packages.sh package
	@sh tools/system_packages.sh virtual-screen
	packaging/test_run.sh dist/advisor-$(VERSION)-linux-x86_64.run

# What uv is to take is said in the environment: see the script.
package-test-pack:
	@sh tools/system_packages.sh package
	@sh tools/system_packages.sh virtual-screen
	packaging/test_pack.sh dist/advisor_$(VERSION)_amd64.deb

# KEY: what gpg calls it. Whoever has the files checks them as packaging/README.md says.
release:
	@test -n "$(KEY)" || { echo "Say which key signs: make release KEY=…" >&2; exit 2; }
	@ls dist/advisor* > /dev/null 2>&1 || { echo "There is nothing in dist/: make package comes first." >&2; exit 2; }
	cd dist && LC_ALL=C sha256sum advisor* > SHA256SUMS
	gpg --yes --armor --local-user "$(KEY)" --output dist/SHA256SUMS.asc --detach-sign dist/SHA256SUMS

clean:
	rm -rf $(VENV) $(PACKAGE_VENV) build dist .mypy_cache .ruff_cache .pytest_cache

# torch comes first and alone: a later package that asks for "torch" then finds it and draws no other build.
$(VENV)/.torch-ready:
	@sh tools/system_packages.sh python $(PYTHON)
	@echo "Setting up $(VENV): PyTorch, Qt and the rest are fetched once, some hundred megabytes in a minute or two." >&2
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	@touch $@

$(RUN): $(VENV)/.torch-ready pyproject.toml
	$(PIP) install --quiet --editable '.[gui]'
	@touch $@

$(TEST): $(RUN)
	$(PIP) install --quiet --editable '.[test]'
	@touch $@

$(DEV): $(TEST)
	$(PIP) install --quiet --editable '.[dev]'
	@touch $@

# Models of timm are traced beside the torch that is there, so neither library may bring another.
$(FIT): $(DEV)
	$(PIP) install --quiet pyyaml safetensors huggingface_hub
	$(PIP) install --quiet --no-deps timm==1.0.31 torchvision==0.28.0
	@touch $@

$(PACKED): packaging/requirements.txt packaging/lock.txt
	@sh tools/system_packages.sh python $(PACKAGE_PYTHON)
	$(PACKAGE_PYTHON) -m venv $(PACKAGE_VENV)
	$(PACKAGE_VENV)/bin/pip install --quiet $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	$(PACKAGE_VENV)/bin/pip install --quiet --require-hashes --no-deps -r packaging/lock.txt
	$(PACKAGE_VENV)/bin/pip check
	@touch $@
