package other.trial;

import game.Game;
import java.util.ArrayList;
import other.move.Move;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Trial {
    public final ArrayList<Move> moves = new ArrayList<>();
    public boolean over;

    public Trial(Game game) {}

    public boolean over() {
        return over;
    }

    public int numMoves() {
        return moves.size();
    }

    public Move getMove(int number) {
        return moves.get(number);
    }

    public int numInitialPlacementMoves() {
        return 0;
    }
}
