python := if path_exists(".venv/bin/python") == "true" { ".venv/bin/python" } else { "python3" }

# List the recipes.
default:
    @just --list

# Make a virtual environment with everything that development needs.
setup:
    python3 -m venv .venv
    .venv/bin/python -m pip install -e '.[dev]'

# Run the tests.
test *args:
    {{ python }} -m pytest {{ args }}

# Check style and form.
lint:
    {{ python }} -m ruff check
    {{ python }} -m ruff format --check

# Check types.
types:
    {{ python }} -m mypy

# Check everything.
check: lint types test

# Measure speed; see `just bench --help`.
bench *args:
    {{ python }} -m benchmarks {{ args }}

# Measure what shortcuts get right in the bundled recipes, and write docs/shortcuts.md.
shortcuts *args:
    {{ python }} -m benchmarks.shortcuts {{ args }}

# Write the pages of families: an index, and examples of every generator.
gallery *args:
    {{ python }} -m benchmarks.gallery {{ args }}

# Build the documentation into site/; a broken link is an error. Needs `pip install -e '.[docs]'`.
docs:
    {{ python }} -m typer synthgen.cli utils docs --name synthgen --title Commands --output docs/commands.md
    {{ python }} -m zensical build --strict

# Train small models on our datasets, or write docs/evidence.md (`--page`). Needs the extra experiments.
evidence *args:
    {{ python }} -m experiments {{ args }}

# Try faults: `just faults [kill|disk|calls|flip|forge|store|ray|fuzz] [--size full]`.
faults *args:
    {{ python }} -m benchmarks.faults {{ args }}

# Write what commands print into README.md and docs/quickstart.md, and the notebook.
printed *args:
    {{ python }} -m tests.printed {{ args }}

# Build a dataset from a recipe, bundled or a file.
build recipe="hint" *args:
    {{ python }} -m synthgen build {{ recipe }} {{ args }}
