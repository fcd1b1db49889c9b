package game.rules.play.moves;

import java.util.ArrayList;
import other.move.Move;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Moves {
    private final ArrayList<Move> moves = new ArrayList<>();

    public ArrayList<Move> moves() {
        return moves;
    }
}
