package other.context;

import game.Game;
import other.move.Move;
import other.state.State;
import other.trial.Trial;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Context {
    private static final int[][] LINES = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}
    };

    public int[] cells = new int[9];
    private Trial trial;

    public Context(Game game, Trial trial) {
        this.trial = trial;
    }

    public Context(Context other) {
        cells = other.cells.clone();
        trial = new Trial(null);
        trial.moves.addAll(other.trial.moves);
        trial.over = other.trial.over;
    }

    public Trial trial() {
        return trial;
    }

    public State state() {
        return new State(trial.numMoves() % 2 + 1);
    }

    public void clear() {
        cells = new int[9];
        trial = new Trial(null);
    }

    public void put(Move move) {
        cells[move.cell] = state().mover();
        trial.moves.add(move);
        trial.over = winner() != 0 || trial.numMoves() == 9;
    }

    public int winner() {
        for (int[] line : LINES) {
            int first = cells[line[0]];
            if (first != 0 && first == cells[line[1]] && first == cells[line[2]]) return first;
        }
        return 0;
    }
}
