#!/usr/bin/env python3
"""Runs notebooks by plain Python, without Jupyter, and keeps what they print and show:

python bench/python/notebooks/run.py bench/python/notebooks/tour.ipynb
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import json
import pathlib
import sys
from typing import Any

#: The tag of cells whose outputs are others in every run, or on every machine.
VARIES = "varies"
#: The tag of cells that are left out where a library is not installed begins so.
NEEDS = "needs-"


def lines(text: str) -> list[str]:
    """A text as notebooks keep it."""
    return text.splitlines(keepends=True)


def lacks(cell: dict[str, Any]) -> list[str]:
    """The libraries that a cell needs, and that are not installed."""
    tags = cell["metadata"].get("tags", [])
    needed = [tag.removeprefix(NEEDS) for tag in tags if tag.startswith(NEEDS)]
    return [library for library in needed if importlib.util.find_spec(library) is None]


def run(path: pathlib.Path) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The cells with code, each with the outputs that it has now: those that it is kept with where
    a library is not installed."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    done = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            place = f"{path.name}, cell {len(done) + 1}"
            left_out = bool(lacks(cell))
            found = cell["outputs"] if left_out else outputs("".join(cell["source"]), place, names)
            done.append((cell, found))
    return done


def outputs(code: str, place: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a cell prints, and what its last expression is."""
    body = ast.parse(code, place).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), place, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
    found = []
    if text := printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": lines(text)})
    if value is not None:
        data = {"text/plain": lines(repr(value))}
        for kind, method in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
            if hasattr(value, method):
                data[kind] = lines(getattr(value, method)())
        found.append({"data": data, "metadata": {}, "output_type": "display_data"})
    return found


def keep(path: pathlib.Path) -> None:
    """Writes the outputs into the notebook."""
    done = run(path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, (_, found)) in enumerate(zip(cells, done), 1):
        cell["outputs"], cell["execution_count"] = found, number
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        keep(pathlib.Path(name))
