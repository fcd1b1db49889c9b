"""Verifying and measuring."""

import inspect
import pathlib
import ast

import pytest

import ggpbench


def test_engines_are_verified():
    rows = ggpbench.verify("tic-tac-toe-3x3", seconds=0.1)
    assert {row["engine"] for row in rows} == set(ggpbench.engines())
    assert {row["verdict"] for row in rows} == {"ok"}
    assert all(row["playouts"] > 100 and row["perft"][0] == 9 for row in rows)
    only = ggpbench.verify("tic-tac-toe-3x3", engines=["rbg"], seconds=0.05)
    assert [(row["engine"], row["language"]) for row in only] == [("rbg", "rbg")]


def test_figures_have_a_verdict():
    rows = ggpbench.measure("tic-tac-toe-3x3", engines=["bitboard", "rbg"], seconds=0.1, samples=4)
    assert {row["engine"] for row in rows} == {"bitboard", "rbg"}
    for row in rows:
        assert row["verdict"] == "ok" and row["playouts"] > 0 and row["cpu_ns"] > 0
        rate = row["playouts"] / row["cpu_ns"] * 1e9
        assert row["playouts_per_cpu_second"] == pytest.approx(rate)
    rounds = sorted({row["round"] for row in rows})
    # On a busy machine the time may be up before the last of them.
    assert rounds == [0, 1, 2, 3][: len(rounds)]


def test_a_file_that_an_engine_does_not_read_is_a_row(tmp_path):
    path = tmp_path / "broken.kif"
    path.write_text("(role a)\n(legal a")
    rows = ggpbench.measure(path, seconds=0.05, samples=1)
    assert rows and all(row["verdict"] == "invalid" and row["playouts"] == 0 for row in rows)
    assert "broken.kif:" in rows[0]["reason"]


def test_rows_are_a_table():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    rows = ggpbench.measure("tic-tac-toe-3x3", engines=["bitboard"], seconds=0.05, samples=2)
    table = pandas.DataFrame(rows)
    assert table.groupby("engine")["playouts_per_cpu_second"].median()["bitboard"] > 1000


def test_the_stub_names_all_that_there_is():
    stub = pathlib.Path(ggpbench.__file__).with_name("_native.pyi").read_text()
    tree = ast.parse(stub)
    native = ggpbench._native
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    public = {name for name in dir(native) if not name.startswith("_")}
    assert public == set(classes) | functions
    for name in ("Game", "Position", "Batch", "Rollouts"):
        members = {n.name for n in classes[name].body if isinstance(n, ast.FunctionDef)}
        real = {m for m in dir(getattr(native, name)) if not m.startswith("_")}
        assert real == {m for m in members if not m.startswith("_")}, name
        undocumented = [
            n.name
            for n in classes[name].body
            if isinstance(n, ast.FunctionDef) and not n.name.startswith("_") and not ast.get_docstring(n)
        ]
        assert not undocumented
    for name in functions:
        node = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
        said = [a.arg for a in node.args.args + node.args.kwonlyargs]
        assert said == list(inspect.signature(getattr(native, name)).parameters), name
