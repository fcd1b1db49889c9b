"""The notebook runs from its first cell to its last, and what documentation shows is so."""

import doctest
import importlib
import pathlib

import pytest

import ggpbench


def test_the_notebook_runs():
    nbformat = pytest.importorskip("nbformat", reason="Jupyter is not installed")
    nbclient = pytest.importorskip("nbclient", reason="Jupyter is not installed")
    pytest.importorskip("ipykernel", reason="Jupyter is not installed")
    path = pathlib.Path(__file__).parent.parent / "notebooks" / "tour.ipynb"
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "it is kept without outputs"
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()


@pytest.mark.parametrize("name", ["", ".pgx", ".pettingzoo", ".gymnasium", ".openspiel"])
def test_examples_are_so(name):
    library = name[1:].replace("openspiel", "pyspiel")
    if library and library != "pgx":
        pytest.importorskip(library, reason=f"{library} is not installed")
    module = importlib.import_module("ggpbench" + name)
    assert module.__doc__.count(">>>") > 2
    assert doctest.testmod(module).failed == 0
    assert ggpbench.__doc__
