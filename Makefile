# Plain front for the common commands; README names the ones that need nothing but python3.
.PHONY: verify test lint docs note bench coq checker

PYTHON = .venv/bin/python

.venv/installed: pyproject.toml
	python3 -m venv .venv
	.venv/bin/pip install -q -e ".[test,lint,docs]"
	touch .venv/installed

verify: .venv/installed
	.venv/bin/crtools verify
	.venv/bin/crtools figure log-fit

test: .venv/installed
	.venv/bin/pytest

lint: .venv/installed
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/pyright --pythonpath .venv/bin/python

docs: .venv/installed
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict

note: .venv/installed  # needs pandoc and pdflatex
	$(PYTHON) docs/hooks/note.py build/note

bench: .venv/installed
	$(PYTHON) benchmarks/worst_case.py

coq: .venv/installed
	set -e; for ledger in adaptive beyond nonclairvoyant any-memory; do \
	  .venv/bin/crtools verify --ledger $$ledger --coq build/coq/$$ledger; $(MAKE) -C build/coq/$$ledger; done

checker:
	rm -rf build/checker && mkdir -p build/checker/check
	cp check/*.py check/*.txt build/checker/check
	cp check/__main__.py build/checker
	python3 -m zipapp build/checker -p "/usr/bin/env python3" -o build/crtools-check.pyz
