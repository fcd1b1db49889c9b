"""The program that measures this package beside others, on what is installed here."""

import csv
import subprocess
import sys
from pathlib import Path

SPEED = Path(__file__).parents[1] / "speed.py"


def run(*arguments):
    command = [sys.executable, SPEED, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_playouts_are_measured_and_missing_systems_have_a_reason(tmp_path):
    path = tmp_path / "speed.csv"
    said = run("rollouts", "--games", "amazons-10x10", "--samples", 1, "--csv", path)
    with open(path, newline="") as file:
        rows = {row["system"] + " " + row["how"]: row for row in csv.DictReader(file)}
    assert {"ggpbench bitboard", "ggpbench ludeme", "OpenSpiel C++"} <= set(rows), said
    assert float(rows["ggpbench bitboard"]["per_second"]) > 1000
    other = rows["OpenSpiel C++"]
    assert other["per_second"] or "peers install openspiel" in other["reason"], other
    table = run("--table", path)
    assert ("amazons-10x10" in table) == bool(other["per_second"]), table


def test_steps_are_measured(tmp_path):
    path = tmp_path / "speed.csv"
    run("steps", "--games", "kuhn-poker", "--samples", 1, "--batch", 64, "--csv", path)
    with open(path, newline="") as file:
        ours, pgx = csv.DictReader(file)
    assert float(ours["per_second"]) > 1000
    assert pgx["per_second"] or "pgx" in pgx["reason"] or "jax" in pgx["reason"], pgx


def test_a_whole_machine_is_measured_beside_lanes(tmp_path):
    path = tmp_path / "machine.csv"
    run("machine", "machine-steps", "--games", "kuhn-poker", "--samples", 1, "--lanes", 16, "--csv", path)
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["part"] for row in rows] == ["machine", "machine", "machine-steps", "machine-steps"]
    for ours, pgx in (rows[:2], rows[2:]):
        assert ours["system"] == "ggpbench" and "core" in ours["how"]
        assert float(ours["per_second"]) > 1000
        assert pgx["per_second"] or "pgx" in pgx["reason"] or "jax" in pgx["reason"], pgx


def test_the_tables_of_the_document_are_those_of_the_figures():
    for figures in ("speed.csv", "speed-machine.csv"):
        table = run("--table", SPEED.with_name(figures))
        assert table.strip() in SPEED.with_suffix(".md").read_text(), figures
