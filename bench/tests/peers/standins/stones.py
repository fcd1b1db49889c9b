"""Go on 9x9 for the stand-ins of systems that have it, on plain tuples: points are numbered row by row from the
bottom, and 81 passes."""

PASS = 81
LIMIT = 162
KOMI = 7.5


def neighbours(at):
    row, column = divmod(at, 9)
    steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [9 * y + x for y, x in steps if 0 <= y < 9 and 0 <= x < 9]


NEAR = [neighbours(at) for at in range(81)]


def region(cells, at):
    """What is joined to a point by points like it, and what stands around."""
    found, open_, around = {at}, [at], set()
    while open_:
        for near in NEAR[open_.pop()]:
            if cells[near] != cells[at]:
                around.add(cells[near])
            elif near not in found:
                found.add(near)
                open_.append(near)
    return found, around


class Stones:
    """A position: the player on each point or None, who moves, and what the rules remember of the past."""

    def __init__(self):
        self.cells, self.mover = (None,) * 81, 0
        self.passes = self.plies = 0
        self.past = [self.cells]
        self.repeated = False

    def put(self, at):
        """What is on the points after a stone; None if it has no liberty."""
        cells = list(self.cells)
        cells[at] = self.mover
        for near in NEAR[at]:
            if cells[near] == 1 - self.mover:
                group, around = region(cells, near)
                if None not in around:
                    for stone in group:
                        cells[stone] = None
        return tuple(cells) if None in region(cells, at)[1] else None

    def is_legal(self, at):
        if self.cells[at] is not None:
            return False
        if any(self.cells[near] is None for near in NEAR[at]):
            # It has a liberty, and takes back no ko.
            return True
        cells = self.put(at)
        ko = self.past[-2] if len(self.past) > 1 and self.passes == 0 else None
        return cells is not None and cells != ko

    def legal(self):
        return [] if self.is_over() else [at for at in range(81) if self.is_legal(at)] + [PASS]

    def after(self, action):
        after = Stones()
        after.cells, after.passes = self.cells, self.passes + 1
        if action != PASS:
            after.cells, after.passes = self.put(action), 0
            after.repeated = after.cells in self.past
        after.past = [*self.past, after.cells]
        after.mover, after.plies = 1 - self.mover, self.plies + 1
        return after

    def is_over(self):
        return self.repeated or self.passes == 2 or self.plies == LIMIT

    def area(self, player):
        empty = [region(self.cells, at)[1] for at in range(81) if self.cells[at] is None]
        return self.cells.count(player) + sum(1 - player not in around for around in empty)

    def winner(self):
        """Of a position that is over and not repeated."""
        return 0 if self.area(0) > self.area(1) + KOMI else 1
