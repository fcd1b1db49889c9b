package game;

import game.players.Players;
import game.rules.play.moves.Moves;
import java.util.List;
import java.util.Random;
import other.context.Context;
import other.move.Move;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Game {
    public boolean hasSubgames() {
        return false;
    }

    public boolean isStochasticGame() {
        return false;
    }

    public boolean hiddenInformation() {
        return false;
    }

    public boolean isAlternatingMoveGame() {
        return true;
    }

    public Players players() {
        return new Players();
    }

    public void start(Context context) {
        context.clear();
    }

    /** Each empty cell, the first of them twice: lists of Ludii may hold moves that do the same. */
    public Moves moves(Context context) {
        Moves moves = new Moves();
        for (int cell = 0; cell < 9 && !context.trial().over(); cell++) {
            if (context.cells[cell] != 0) continue;
            if (moves.moves().isEmpty()) moves.moves().add(new Move(cell));
            moves.moves().add(new Move(cell));
        }
        return moves;
    }

    public Move apply(Context context, Move move) {
        context.put(move);
        return move;
    }

    public Object playout(Context context, List<?> players, double time, Object selector, int biased, int most,
        Random random) {
        for (int made = 0; made < most && !context.trial().over(); made++) {
            List<Move> legal = moves(context).moves();
            // Of the two that do the same, the first is never drawn, so that draws are uniform.
            context.put(legal.get(1 + random.nextInt(legal.size() - 1)));
        }
        return context.trial();
    }
}
