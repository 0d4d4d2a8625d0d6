# Thin: every recipe is one command that can be typed as well. `./eccel --help` has the rest.

PYTEST := .venv/bin/python -m pytest -n 2 --dist worksteal --durations 10

.DEFAULT_GOAL := help
.PHONY: help setup demo demo-tls test test-times soak bench provider lint lock clean distclean

help:   ## this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:[^#]*## */\t/' | expand -t 12

setup:  ## install the tools into .venv (the others do so too when needed)
	@./eccel --setup-only

demo: setup  ## sign on the RTL, verify with OpenSSL, place and route, print the figures
	@./eccel demo

demo-tls: setup  ## TLS servers with keys on the RTL, stock clients, counted handshakes
	@./eccel demo-tls

test: setup  ## everything that is checked at every change
	@scripts/test_packages
	@$(PYTEST)

test-times: setup  ## the same from an empty build folder: CPU seconds of each test room
	@ECCEL_BUILD=$$(mktemp -d) $(PYTEST) --room-times=results/test_times.json

soak: setup  ## the long campaigns: all vectors, all seeds
	@$(PYTEST) -m soak --timeout 14400 --soak-summary=results/soak.json

bench: setup  ## our figures and the published ones
	@./eccel compare vliegen2010
	@./eccel compare gueneysu2008
	@./eccel compare gura2002

provider: setup  ## build the OpenSSL provider, write and print its openssl.cnf
	@./eccel provider

lint: setup  ## ruff, mypy, verible, Verilator -Wall, slang, dependency levels
	@$(PYTEST) tests/repo

lock: setup  ## resolve pyproject.toml into requirements.lock (hashes, no registry addresses)
	@scripts/lock

clean:  ## remove what builds and runs wrote
	@rm -rf build out .cache .pytest_cache .mypy_cache .ruff_cache
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

distclean: clean  ## remove the environment as well
	@rm -rf .venv .venv.lock
