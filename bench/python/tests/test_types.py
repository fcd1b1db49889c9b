"""Types: those of the package by themselves, and the stubs beside the binding."""

import subprocess
import sys
from pathlib import Path

import pytest

import ggpbench


def run(folder, *arguments):
    pytest.importorskip("mypy", reason="mypy is not installed")
    answer = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_the_package_has_the_types_that_it_says(tmp_path):
    package = Path(ggpbench.__file__).parent
    run(tmp_path, "mypy", "--check-untyped-defs", "--ignore-missing-imports", str(package))


def test_the_stubs_are_those_of_the_binding(tmp_path):
    run(tmp_path, "mypy.stubtest", "ggpbench._native")
