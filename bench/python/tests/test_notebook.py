"""The notebook runs from its first cell to its last, and what documentation shows is so."""

import doctest
import importlib
import json
import pathlib

import pytest

import ggpbench


def test_the_notebook_runs():
    path = pathlib.Path(__file__).parent.parent / "notebooks" / "tour.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["metadata"]["kernelspec"]["name"]) == (4, "python3")
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 5 and not any(cell["outputs"] for cell in cells), "kept without outputs"
    # Plain Python, so that Jupyter is not needed here.
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)


@pytest.mark.parametrize("name", ["", ".pgx", ".pettingzoo", ".gymnasium", ".openspiel"])
def test_examples_are_so(name):
    library = name[1:].replace("openspiel", "pyspiel")
    if library and library != "pgx":
        pytest.importorskip(library, reason=f"{library} is not installed")
    module = importlib.import_module("ggpbench" + name)
    assert module.__doc__.count(">>>") > 2
    assert doctest.testmod(module).failed == 0
    assert ggpbench.__doc__
