"""The notebook runs from its first cell to its last, and what documentation shows is so.

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
import types
import unittest

import ggpbench

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
    def test_the_notebook_runs(self):
        path = pathlib.Path(__file__).parent.parent / "notebooks" / "tour.ipynb"
        notebook = json.loads(path.read_text(encoding="utf-8"))
        kernel = notebook["metadata"]["kernelspec"]["name"]
        self.assertEqual((notebook["nbformat"], kernel), (4, "python3"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(cells), 5)
        self.assertFalse(any(cell["outputs"] for cell in cells), "kept without outputs")
        # Plain Python, so that Jupyter is not needed here.
        names = {"__name__": "__main__"}
        for number, cell in enumerate(cells, 1):
            code = compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec")
            exec(code, names)

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
