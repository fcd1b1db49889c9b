"""The tour runs from its first cell to its last, and what it and documentation show is so.

It needs NumPy alone: `cargo test` runs it by `python3 -m unittest`, where pytest may be missing.
"""

import ast
import doctest
import functools
import importlib
import importlib.util
import inspect
import json
import pathlib
import runpy
import types
import unittest

import ggpbench

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = ["tour.ipynb", "learn.ipynb"]

#: The modules with examples, and what each needs to be imported.
DOCUMENTED = [
    ("ggpbench", None),
    ("ggpbench.pgx", None),
    ("ggpbench.worker", None),
    ("ggpbench.pettingzoo", "pettingzoo"),
    ("ggpbench.gymnasium", "gymnasium"),
    ("ggpbench.openspiel", "pyspiel"),
]


class Documented(unittest.TestCase):
    def test_the_notebooks_are_kept_as_they_run(self):
        for name in NOTEBOOKS:
            with self.subTest(name):
                notebook = json.loads((FOLDER / name).read_text(encoding="utf-8"))
                kernel = notebook["metadata"]["kernelspec"]["name"]
                self.assertEqual((notebook["nbformat"], kernel), (4, "python3"))
                cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
                self.assertGreater(len(cells), 5)
                self.assertTrue(all(cell["execution_count"] for cell in cells), "kept as run")

    def test_the_tour_shows_what_is_kept(self):
        program = runpy.run_path(str(FOLDER / "run.py"))
        for number, (cell, found) in enumerate(program["run"](FOLDER / "tour.ipynb"), 1):
            tags = cell["metadata"].get("tags", [])
            if program["VARIES"] not in tags:
                with self.subTest(number):
                    self.assertEqual(cell["outputs"], found)

    def test_examples_are_so(self):
        looked_at = 0
        for name, library in DOCUMENTED:
            if library and importlib.util.find_spec(library) is None:
                continue
            with self.subTest(name):
                module = importlib.import_module(name)
                self.assertGreater(module.__doc__.count(">>>"), 2)
                self.assertEqual(doctest.testmod(module).failed, 0)
                looked_at += 1
        self.assertGreaterEqual(looked_at, 2)

    def test_help_says_what_the_stubs_say(self):
        stubs = pathlib.Path(ggpbench.__file__).with_name("_native.pyi")
        looked_at = 0
        for path, node in named(ast.parse(stubs.read_text(encoding="utf-8"))):
            # Those two have their members explained in the stubs alone.
            if not (written := ast.get_docstring(node)) or path[0].endswith("Error"):
                continue
            with self.subTest(".".join(path)):
                thing = functools.reduce(getattr, path, ggpbench)
                said = inspect.getdoc(thing) or ""
                self.assertEqual(said.split(), written.split())
                if isinstance(node, ast.FunctionDef) and not isinstance(thing, PROPERTY):
                    self.assertEqual(parameters(thing), arguments(node))
                looked_at += 1
        self.assertGreater(looked_at, 60)


#: What a property of a class in Rust is.
PROPERTY = types.GetSetDescriptorType


def named(module):
    """The classes, functions and methods of a module, each with its path."""
    for node in module.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield (node.name,), node
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    yield (node.name, member.name), member


def parameters(function):
    """The names of its parameters, and which of them have to be named."""
    found = inspect.signature(function).parameters.values()
    return [(one.name, one.kind is inspect.Parameter.KEYWORD_ONLY) for one in found]


def arguments(node):
    """The same of a stub."""
    positional = [*node.args.posonlyargs, *node.args.args]
    named = [(one.arg, True) for one in node.args.kwonlyargs]
    return [(one.arg, False) for one in positional] + named


if __name__ == "__main__":
    unittest.main()
