#!/usr/bin/env python3
"""How quick this package is beside others, on one core.

    python bench/python/speed.py                                  # what is installed here
    python bench/python/speed.py --python pgx=/path/bin/python    # a system in an environment of its own
    python bench/python/speed.py --csv speed.csv steps
    python bench/python/speed.py --table speed.csv

Each system plays in a process of its own, held to one core with the others; they take their samples in
turn, in shuffled order, and a figure is the median of the samples. Time is CPU time of the process, after a
sample that is not counted. What is compared:

- ``rollouts``: uniformly random playouts from the start, as many at once as suits the system: its quickest way.
- ``steps``: positions that go on together (``--batch`` of them), stepped from Python. In every step each
  position has a random legal action drawn, and observation and mask of legal actions made. Those that end
  begin anew. The unit is a ply of one position.
- ``overhead``: batches of 1,024 playouts from Python beside the same calls from Rust.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

#: Catalogue id: OpenSpiel's game, Pgx's, Ludax's, playouts that they play side by side.
ROLLOUTS = {
    "tic-tac-toe-3x3": ("tic_tac_toe", "tic_tac_toe", "tic_tac_toe", 4096),
    "connect-4-6x7": ("connect_four", "connect_four", "connect_four", 4096),
    "breakthrough-8x8": ("breakthrough(rows=8,columns=8)", None, None, 0),
    "hex-9x9": ("hex(board_size=9)", None, None, 0),
    "reversi-8x8": ("othello", "othello", "reversi", 1024),
    "chess": ("chess", "chess", None, 256),
    "yavalath": (None, None, "yavalath", 1024),
    "wolf-and-sheep-8x8": (None, None, "wolf_and_sheep", 512),
}
STEPS = {
    "tic-tac-toe-3x3": "tic_tac_toe",
    "connect-4-6x7": "connect_four",
    "reversi-8x8": "othello",
    "chess": "chess",
}
OVERHEAD = ["tic-tac-toe-3x3", "connect-4-6x7", "breakthrough-8x8", "reversi-8x8"]

#: Seconds of a sample, roughly.
SAMPLE = 0.5


# ---- Workers: each plays a sample at each line of input, and prints units and CPU seconds. ----


def serve(play):
    """``play(count)`` does ``count`` rounds and returns units."""
    play(1)
    count = 1
    for _ in sys.stdin:
        wall, cpu = time.perf_counter(), time.process_time()
        units = play(count)
        spent = time.process_time() - cpu
        print(units, spent, flush=True)
        took = time.perf_counter() - wall
        count = max(1, min(count * 20, int(count * SAMPLE / max(took, 1e-6))))


def ours_rollouts(name, engine):
    import ggpbench

    game = ggpbench.load(name, engine=engine)
    state = {"seed": 0}

    def play(count):
        state["seed"] += 1
        return game.rollouts(64 * count, seed=state["seed"]).playouts

    serve(play)


def ours_steps(name, engine, batch):
    import ggpbench

    positions = ggpbench.load(name, engine=engine).batch(batch, seed=1, auto_reset=True)

    def play(count):
        for _ in range(count):
            positions.step(positions.random_actions())
        return count * batch

    serve(play)


def ours_batches(name, engine, size):
    import ggpbench

    game = ggpbench.load(name, engine=engine)
    state = {"seed": 0}

    def play(count):
        for _ in range(count):
            state["seed"] += 1
            game.rollouts(size, seed=state["seed"])
        return count * size

    serve(play)


def openspiel_rollouts(name):
    import pyspiel

    game = pyspiel.load_game(name)

    def play(count):
        # One simulation of the search in C++, whose leaf is evaluated by so many playouts.
        evaluator = pyspiel.RandomRolloutEvaluator(count, random.randrange(1 << 30))
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, 1, False)
        bot.mcts_search(game.new_initial_state())
        return count

    serve(play)


def jax_rollouts(make, lanes):
    """Playouts side by side in one compiled loop, until the last one has ended."""
    import jax
    import jax.numpy as jnp

    init, step, over = make()

    def advance(carry):
        state, key = carry
        key, own = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        return step(state, jax.random.categorical(own, logits, axis=-1)), key

    @jax.jit
    def run(key):
        key, own = jax.random.split(key)
        start = init(jax.random.split(own, lanes))
        state, _ = jax.lax.while_loop(lambda c: ~over(c[0]).all(), advance, (start, key))
        return state.rewards

    def play(count):
        for _ in range(count):
            run(jax.random.PRNGKey(random.randrange(1 << 30))).block_until_ready()
        return count * lanes

    serve(play)


def pgx_rollouts(name, lanes):
    import jax
    import pgx

    def make():
        env = pgx.make(name)
        return jax.vmap(env.init), jax.vmap(env.step), lambda s: s.terminated | s.truncated

    jax_rollouts(make, int(lanes))


def ludax_rollouts(name, lanes):
    import jax
    import ludax
    import ludax.games

    def make():
        env = ludax.LudaxEnvironment(game_str=getattr(ludax.games, name))
        flat = lambda s: (s.terminated | s.truncated).reshape(s.terminated.shape[0], -1).all(axis=-1)
        return jax.vmap(env.init), jax.vmap(env.step), flat

    jax_rollouts(make, int(lanes))


def pgx_steps(name, batch):
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    begin = jax.jit(jax.vmap(env.init))
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def draw_and_step(state, key):
        key, own, again = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(own, logits, axis=-1)
        return step(state, actions, jax.random.split(again, batch)), key

    state = begin(jax.random.split(jax.random.PRNGKey(1), batch))
    hold = {"state": state, "key": jax.random.PRNGKey(2)}

    def play(count):
        for _ in range(count):
            hold["state"], hold["key"] = draw_and_step(hold["state"], hold["key"])
            hold["state"].observation.block_until_ready()
        return count * batch

    serve(play)


WORKERS = {
    "ours-rollouts": ours_rollouts,
    "ours-steps": lambda name, engine, batch: ours_steps(name, engine, int(batch)),
    "ours-batches": lambda name, engine, size: ours_batches(name, engine, int(size)),
    "openspiel-rollouts": openspiel_rollouts,
    "pgx-rollouts": pgx_rollouts,
    "ludax-rollouts": ludax_rollouts,
    "pgx-steps": lambda name, batch: pgx_steps(name, int(batch)),
}


# ---- The parent: starts workers and takes samples in turn. ----


class Worker:
    def __init__(self, label, command):
        self.label = label
        environment = dict(os.environ, JAX_PLATFORMS="cpu", OMP_NUM_THREADS="1")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment,
        )  # fmt: skip
        self.rates = []
        self.reason = None

    def sample(self, counts=True):
        if self.reason is not None:
            return
        try:
            self.process.stdin.write("go\n")
            self.process.stdin.flush()
            units, seconds = self.process.stdout.readline().split()
        except (OSError, ValueError):
            self.process.kill()
            last = self.process.communicate()[1].strip().splitlines()
            self.reason = last[-1] if last else "it died"
            return
        if counts and float(seconds) > 0:
            self.rates.append(float(units) / float(seconds))

    def close(self):
        if self.reason is None:
            self.process.stdin.close()
            self.process.wait()


def measure(workers, samples, warm=4):
    draw = random.Random(1)
    # Counts grow to a whole sample while warming up.
    for worker in workers:
        for _ in range(warm):
            worker.sample(counts=False)
    for _ in range(samples):
        for worker in draw.sample(workers, len(workers)):
            worker.sample()
    for worker in workers:
        worker.close()


def print_table(path):
    """A table in Markdown: the best of ours beside each other system, and how many times as quick."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    print("| what | game | ours, per CPU second | engine | beside | per CPU second | ours / theirs |")
    print("|---|---|---:|---|---|---:|---:|")
    for part, name in dict.fromkeys((row["part"], row["game"]) for row in rows):
        here = [row for row in rows if (row["part"], row["game"]) == (part, name) and row["per_cpu_second"]]
        best = max((row for row in here if row["system"] == "ggpbench"), key=rate)
        for row in here:
            if row["system"] != "ggpbench":
                other = f"{row['system']} ({row['how']})"
                print(f"| {part} | {name} | {rate(best):,.0f} | {best['how']} | {other} | {rate(row):,.0f} "
                      f"| {rate(best) / rate(row):.1f} |")  # fmt: skip


def rate(row):
    return float(row["per_cpu_second"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="rollouts|steps|overhead", help="all if none is named")
    parser.add_argument("--games", help="of these alone, by id, separated by commas")
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--batch", type=int, default=4096, help="positions that are stepped together")
    parser.add_argument("--python", action="append", default=[], metavar="SYSTEM=PATH")
    parser.add_argument("--pace", help="the example `pace` of bench/library, for `overhead`")
    parser.add_argument("--core", type=int, help="the core to use")
    parser.add_argument("--csv", help="where to write all medians")
    parser.add_argument("--table", metavar="CSV", help="print such a file as a table, and measure nothing")
    options = parser.parse_args()
    if options.table:
        print_table(options.table)
        return
    parts = options.parts or ["rollouts", "steps", "overhead"]
    if unknown := set(parts) - {"rollouts", "steps", "overhead"}:
        parser.error(f"no part {', '.join(unknown)}: expected rollouts, steps or overhead")
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[-1] if options.core is None else options.core})
    pythons = dict(entry.split("=", 1) for entry in options.python)

    def worker(label, kind, *arguments):
        python = pythons.get(kind.split("-")[0], sys.executable)
        return Worker(label, [python, __file__, "--worker", kind, *map(str, arguments)])

    import ggpbench

    def engines(name):
        return [e for e in ggpbench.engines() if e not in ("prover", "propnet-batch") and playable(name, e)]

    def playable(name, engine):
        try:
            ggpbench.load(name, engine=engine)
            return True
        except ValueError:
            return False

    rows = []

    def report(part, name, workers):
        best = max((statistics.median(w.rates) for w in workers if w.rates and w.label[0] == "ggpbench"), default=0)
        for w in workers:
            rate = statistics.median(w.rates) if w.rates else None
            spread = (min(w.rates), max(w.rates)) if w.rates else (None, None)
            rows.append([part, name, *w.label, rate, *spread, len(w.rates), w.reason or ""])
            shown = "-" if rate is None else f"{rate:>15,.0f}"
            times = f"{best / rate:8.1f} x" if rate else w.reason
            print(f"{part:9} {name:20} {w.label[0]:10} {w.label[1]:14} {shown:>15}  {times}", flush=True)

    chosen = options.games.split(",") if options.games else None
    for part, games in (("rollouts", ROLLOUTS), ("steps", STEPS), ("overhead", OVERHEAD)):
        for name in games if part in parts else ():
            if chosen is not None and name not in chosen:
                continue
            workers = []
            if part == "rollouts":
                spiel, pgx, ludax, lanes = ROLLOUTS[name]
                workers = [worker(("ggpbench", e), "ours-rollouts", name, e) for e in engines(name)]
                if spiel:
                    workers.append(worker(("OpenSpiel", "C++"), "openspiel-rollouts", spiel))
                if pgx:
                    workers.append(worker(("Pgx", f"{lanes} at once"), "pgx-rollouts", pgx, lanes))
                if ludax:
                    workers.append(worker(("Ludax", f"{lanes} at once"), "ludax-rollouts", ludax, lanes))
            elif part == "steps":
                batch = min(options.batch, 512) if name == "chess" else options.batch
                workers = [
                    worker(("ggpbench", "bitboard"), "ours-steps", name, "bitboard", batch),
                    worker(("Pgx", f"{batch} at once"), "pgx-steps", STEPS[name], batch),
                ]
            else:
                workers = [worker(("ggpbench", "Python"), "ours-batches", name, "bitboard", 1024)]
                pace = options.pace or shutil.which("pace")
                if pace is None or not Path(pace).is_file():
                    print("overhead needs --pace: cargo build --release -p ggpbench --example pace")
                    for w in workers:
                        w.close()
                    break
                workers.append(
                    Worker(("Rust", "library"), [pace, name, "bitboard", "1024", str(SAMPLE)])
                )
            measure(workers, options.samples)
            report(part, name, workers)
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(
                ["part", "game", "system", "how", "per_cpu_second", "least", "most", "samples", "reason"]
            )
            writer.writerows(rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        WORKERS[sys.argv[2]](*sys.argv[3:])
    else:
        main()
