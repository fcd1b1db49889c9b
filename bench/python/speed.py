#!/usr/bin/env python3
"""How quick this package is beside others, on one core or on a whole machine.

    python bench/python/speed.py                                  # what is installed here
    python bench/python/speed.py --python pgx=/path/bin/python    # a system in an environment of its own
    python bench/python/speed.py --csv speed.csv steps
    python bench/python/speed.py --table speed.csv

Each system plays in a process of its own, held to one core with the others; they take their samples in
turn, in shuffled order, and a figure is the median of the samples. Time is CPU time of the process, after a
sample that is not counted. What is compared:

- ``rollouts``: uniformly random playouts from the start, as many at once as suits the system: its quickest way.
  The games are those that the adapters of ``engines/peers`` know, by the names, options and descriptions there.
- ``steps``: positions that go on together (``--batch`` of them), stepped from Python. In every step each
  position has a random legal action drawn, and observation and mask of legal actions made. Those that end
  begin anew. The unit is a ply of one position.
- ``overhead``: batches of 1,024 playouts, and 1,024 positions stepped together, from Python beside the same
  calls from Rust.
- ``machine`` and ``machine-steps``, only if they are named: rollouts and steps with all that there is, per
  second that passes. Ours plays on all cores, JAX on whatever it chooses, which is a GPU where it sees one, with
  each of ``--lanes`` side by side.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

#: Where the adapters of other systems are.
PEERS = Path(__file__).resolve().parents[2] / "engines" / "peers"

#: Catalogue id: Pgx's name.
STEPS = {
    "tic-tac-toe-3x3": "tic_tac_toe",
    "connect-4-6x7": "connect_four",
    "hex-11x11": "hex",
    "reversi-8x8": "othello",
    "go-9x9": "go_9x9",
    "kuhn-poker": "kuhn_poker",
    "leduc-poker": "leduc_holdem",
    "chess": "chess",
}
#: Games of OpenSpiel that its adapter leaves out: in Amazons a queen and its square are drawn one after the
#: other, so that random play is another.
LEFT_OUT = {"amazons-10x10": "amazons"}
OVERHEAD = ["tic-tac-toe-3x3", "connect-4-6x7", "breakthrough-8x8", "reversi-8x8"]

#: What can be measured.
PARTS = ("rollouts", "steps", "overhead", "machine", "machine-steps")
#: Those that one core is measured for.
OF_A_CORE = PARTS[:3]
CORES = f"{os.cpu_count()} cores"


def has_machine(kind):
    """Whether a kind of worker has the whole machine, and tells the time that passes and not its CPU time."""
    return "-machine" in kind


ELAPSED = sys.argv[1:2] == ["--worker"] and has_machine(sys.argv[2])

#: Seconds of a sample, roughly.
SAMPLE = 0.5


def adapter(peer, usable=False):
    """The module of an adapter, whose system has to be installed here if it is to be usable."""
    common = str(PEERS / "python-common")
    if common not in sys.path:
        sys.path.insert(0, common)
    spec = importlib.util.spec_from_file_location(f"adapter_{peer}", PEERS / peer / "worker.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if usable and module.BROKEN:
        sys.exit(module.BROKEN)
    return module


def open_game(name, engine):
    """A game of ours, by its id or that of a family with its size."""
    import ggpbench

    if name in ggpbench.games():
        return ggpbench.load(name, engine=engine)
    family, size = name.rsplit("-", 1)
    return ggpbench.load(family, engine=engine, size=int(size.split("x")[0]))


# ---- Workers: each plays a sample at each line of input, and prints units and CPU seconds. ----


def serve(play):
    """``play(count)`` does ``count`` rounds and returns units. Prints them, and the seconds that they took."""
    play(1)
    count = 1
    for _ in sys.stdin:
        wall, cpu = time.perf_counter(), time.process_time()
        units = play(count)
        spent, took = time.process_time() - cpu, time.perf_counter() - wall
        print(units, took if ELAPSED else spent, flush=True)
        count = max(1, min(count * 20, int(count * SAMPLE / max(took, 1e-6))))


def ours_rollouts(name, engine, threads=1):
    game = open_game(name, engine)
    state = {"seed": 0}

    def play(count):
        state["seed"] += 1
        return game.rollouts(64 * threads * count, seed=state["seed"], threads=threads).playouts

    serve(play)


def ours_steps(name, engine, batch, threads=1):
    positions = open_game(name, engine).batch(batch, seed=1, threads=threads, auto_reset=True)

    def play(count):
        for _ in range(count):
            positions.step(positions.random_actions())
        return count * batch

    serve(play)


def ours_batches(name, engine, size):
    game = open_game(name, engine)
    state = {"seed": 0}

    def play(count):
        for _ in range(count):
            state["seed"] += 1
            game.rollouts(size, seed=state["seed"])
        return count * size

    serve(play)


def openspiel_rollouts(name):
    module = adapter("openspiel", usable=True)
    pyspiel = module.pyspiel
    game = pyspiel.load_game(LEFT_OUT[name] if name in LEFT_OUT else module.GAMES[name].name)

    def play(count):
        # One simulation of the search in C++, whose leaf is evaluated by so many playouts. The search does
        # not begin where chance has to act: what is dealt at the start is dealt before, and costs nothing.
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
        evaluator = pyspiel.RandomRolloutEvaluator(count, random.randrange(1 << 30))
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, 1, False)
        bot.mcts_search(state)
        return count

    serve(play)


def lane_rollouts(peer, name):
    """Playouts side by side in one compiled loop, on as many lanes as the adapter was found to be quickest with."""
    game = adapter(peer, usable=True).load(name)
    lanes = max(game.programs)
    state = {"seed": 0}

    def play(count):
        state["seed"] += 1
        game.play(state["seed"], 0, count * lanes, 1 << 30, "fast")
        return count * lanes

    serve(play)


def lane_programs(peer, name, lanes):
    """As `lane_rollouts` with that many lanes, and without a tally: the results are awaited, and nothing else."""
    module = adapter(peer, usable=True)
    import jax
    import lanes as side_by_side

    compiled = side_by_side.LaneGame.compile
    side_by_side.LaneGame.compile = lambda game, lanes: None  # for the lanes that suit a CPU
    game = module.load(name)
    game.rules.lanes = lanes
    program, size = compiled(game, lanes), game.room(lanes)
    state = {"seed": 0}

    def play(count):
        for _ in range(count):
            state["seed"] += 1
            keys = side_by_side.streams(state["seed"], 0, size)
            jax.block_until_ready(program(keys, size, 1 << 30))
        return count * size

    serve(play)


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
    "pgx-rollouts": lambda name: lane_rollouts("pgx", name),
    "ludax-rollouts": lambda name: lane_rollouts("ludax", name),
    "pgx-steps": lambda name, batch: pgx_steps(name, int(batch)),
    "ours-machine": lambda name, engine: ours_rollouts(name, engine, os.cpu_count()),
    "ours-machine-steps": lambda name, batch: ours_steps(name, "bitboard", int(batch), os.cpu_count()),
    "pgx-machine": lambda name, lanes: lane_programs("pgx", name, int(lanes)),
    "ludax-machine": lambda name, lanes: lane_programs("ludax", name, int(lanes)),
    "pgx-machine-steps": lambda name, batch: pgx_steps(name, int(batch)),
}


# ---- The parent: starts workers and takes samples in turn. ----


class Worker:
    def __init__(self, label, command, one_core=True):
        self.label = label
        environment = dict(os.environ)
        if one_core:
            environment.update(JAX_PLATFORMS="cpu", OMP_NUM_THREADS="1")
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
    """A table in Markdown: the best of ours, and `ludeme`, beside each other system, and how many times as quick."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["per_second"]]
    print("| what | game | ours, per second | engine | beside | per second | ours / theirs | `ludeme` / theirs |")
    print("|---|---|---:|---|---|---:|---:|---:|")
    for part, name in dict.fromkeys((row["part"], row["game"]) for row in rows):
        here = [row for row in rows if (row["part"], row["game"]) == (part, name)]
        ours = [row for row in here if row["system"] == "ggpbench"]
        # What carries results over from one playout to the next is compared only where it is all that there is.
        best = max([row for row in ours if "tabled" not in row["how"]] or ours, key=rate)
        ludeme = next((row for row in ours if row["how"].startswith("ludeme")), None)
        for row in here:
            if row["system"] != "ggpbench":
                times = "–" if ludeme is None else f"{rate(ludeme) / rate(row):.2f}"
                times += " (tabled)" if ludeme is not None and "tabled" in ludeme["how"] else ""
                print(f"| {part} | {name} | {rate(best):,.0f} | {best['how']} | {row['system']} ({row['how']}) "
                      f"| {rate(row):,.0f} | {rate(best) / rate(row):.2f} | {times} |")  # fmt: skip


def rate(row):
    return float(row["per_second"])


#: Their labels, and how they are measured.
OTHERS = {"openspiel": ("OpenSpiel", "C++"), "pgx": ("Pgx", "JAX"), "ludax": ("Ludax", "JAX")}


class Run:
    """Measures part after part, and keeps the rows."""

    def __init__(self, options):
        self.options = options
        self.pythons = dict(entry.split("=", 1) for entry in options.python)
        self.rows = []

    def worker(self, label, kind, *arguments):
        python = self.pythons.get(kind.split("-")[0], sys.executable)
        command = [python, __file__, "--worker", kind, *map(str, arguments)]
        return Worker(label, command, one_core=not has_machine(kind))

    def engines(self, name):
        """Those of ours that play it, each with its label."""
        import ggpbench

        for engine in ggpbench.engines():
            if engine not in ("prover", "propnet-batch"):
                try:
                    game = open_game(name, engine)
                except ValueError:
                    continue
                yield engine, engine + (" (tabled)" if game.method == "tabled" else "")

    def compare(self, part, name, workers):
        measure(workers, self.options.samples)
        ours = [statistics.median(w.rates) for w in workers if w.rates and w.label[0] == "ggpbench"]
        for w in workers:
            rate = statistics.median(w.rates) if w.rates else None
            spread = (min(w.rates), max(w.rates)) if w.rates else (None, None)
            figures = ["" if figure is None else f"{figure:.4g}" for figure in (rate, *spread)]
            self.rows.append([part, name, *w.label, *figures, len(w.rates), w.reason or ""])
            shown = "-" if rate is None else f"{rate:>15,.0f}"
            times = f"{max(ours, default=0) / rate:8.1f} x" if rate else w.reason
            print(f"{part:9} {name:20} {w.label[0]:10} {w.label[1]:14} {shown:>15}  {times}", flush=True)
        if self.options.csv:
            self.write(self.options.csv)

    def rollouts(self, chosen):
        known = {peer: adapter(peer).GAMES for peer in OTHERS}
        known["openspiel"] = known["openspiel"] | LEFT_OUT
        for name in filter(chosen, dict.fromkeys(name for games in known.values() for name in games)):
            ours = [
                self.worker(("ggpbench", label), "ours-rollouts", name, engine)
                for engine, label in self.engines(name)
            ]
            others = [
                self.worker(label, f"{peer}-rollouts", name)
                for peer, label in OTHERS.items()
                if name in known[peer]
            ]
            self.compare("rollouts", name, ours + others)

    def steps(self, chosen):
        for name in filter(chosen, STEPS):
            batch = min(self.options.batch, 512) if name == "chess" else self.options.batch
            how = open_game(name, "bitboard").batch(1).method
            label = "bitboard" + (" (tabled)" if how == "tabled" else "")
            ours = self.worker(("ggpbench", label), "ours-steps", name, "bitboard", batch)
            pgx = self.worker(("Pgx", f"{batch} at once"), "pgx-steps", STEPS[name], batch)
            self.compare("steps", name, [ours, pgx])

    def overhead(self, chosen):
        pace = self.options.pace or shutil.which("pace")
        if pace is None or not Path(pace).is_file():
            print("overhead needs --pace: cargo build --release -p ggpbench --example pace")
            return
        for name in filter(chosen, OVERHEAD):
            for what, kind in (("playouts", "ours-batches"), ("steps", "ours-steps")):
                python = self.worker(("ggpbench", "Python"), kind, name, "bitboard", 1024)
                rust = Worker(("Rust", "library"), [pace, name, "bitboard", "1024", str(SAMPLE), what])
                self.compare(f"overhead, {what}", name, [python, rust])

    def machine(self, chosen):
        lanes = self.options.lanes.split(",")
        known = {peer: adapter(peer).GAMES for peer in ("pgx", "ludax")}
        for name in filter(chosen, dict.fromkeys(name for games in known.values() for name in games)):
            # One after the other: a process on JAX takes the memory of a GPU for itself.
            best = max((e for e in self.engines(name) if "tabled" not in e[1]), key=self.quick(name))
            self.compare("machine", name, [
                self.worker(("ggpbench", f"{best[1]}, {CORES}"), "ours-machine", name, best[0])
            ])  # fmt: skip
            for peer, games in known.items():
                for n in lanes if name in games else ():
                    label = (OTHERS[peer][0], f"JAX, {n} lanes")
                    self.compare("machine", name, [self.worker(label, f"{peer}-machine", name, n)])

    def machine_steps(self, chosen):
        for name in filter(chosen, STEPS):
            for n in self.options.lanes.split(","):
                for system, how, kind, known_as in (
                    ("ggpbench", f"bitboard, {CORES}, {n} at once", "ours-machine-steps", name),
                    ("Pgx", f"JAX, {n} at once", "pgx-machine-steps", STEPS[name]),
                ):
                    worker = self.worker((system, how), kind, known_as, n)
                    self.compare("machine-steps", name, [worker])

    @staticmethod
    def quick(name):
        """Says how quick an engine is on one core, roughly."""

        def rate(engine):
            game = open_game(name, engine[0])
            game.rollouts(64)
            begun, played = time.perf_counter(), 0
            while time.perf_counter() - begun < 0.1:
                played += game.rollouts(256, seed=played).playouts
            return played / (time.perf_counter() - begun)

        return rate

    def write(self, path):
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(
                ["part", "game", "system", "how", "per_second", "least", "most", "samples", "reason"]
            )
            writer.writerows(self.rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", metavar="|".join(PARTS), help="the first three if none is named"
    )
    parser.add_argument("--games", help="of these alone, by id, separated by commas")
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--batch", type=int, default=4096, help="positions that are stepped together")
    parser.add_argument("--lanes", default="4096,65536", metavar="N,..", help="of the parts `machine`")
    parser.add_argument("--python", action="append", default=[], metavar="SYSTEM=PATH")
    parser.add_argument("--pace", help="the example `pace` of bench/library, for `overhead`")
    parser.add_argument("--core", type=int, help="the core to use")
    parser.add_argument("--csv", help="where to write all medians")
    parser.add_argument("--table", metavar="CSV", help="print such a file as a table, and measure nothing")
    options = parser.parse_args()
    if options.table:
        print_table(options.table)
        return
    parts = options.parts or OF_A_CORE
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no part {', '.join(unknown)}: expected {', '.join(PARTS)}")
    one_core = set(parts) <= set(OF_A_CORE)
    if not one_core and set(parts) & set(OF_A_CORE):
        parser.error("some of these parts need all cores, others one: measure them one after the other")
    if one_core and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[-1] if options.core is None else options.core})
    games = options.games.split(",") if options.games else None
    run = Run(options)
    for part in PARTS:
        if part in parts:
            getattr(run, part.replace("-", "_"))(lambda name: games is None or name in games)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        WORKERS[sys.argv[2]](*sys.argv[3:])
    else:
        main()
