package search.mcts;

import game.Game;
import other.context.Context;
import other.move.Move;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class MCTS {
    private int player;

    public static MCTS createUCT() {
        return new MCTS();
    }

    public void initAI(Game game, int playerId) {
        player = playerId;
    }

    public Move selectAction(Game game, Context context, double maxSeconds, int maxIterations, int maxDepth) {
        if (context.trial().over()) throw new IllegalStateException("the game is over");
        if (player != context.state().mover()) throw new IllegalStateException("another player is to move");
        if (maxSeconds >= 0 || maxIterations <= 0) throw new IllegalArgumentException("not by iterations");
        return game.moves(context).moves().get(0);
    }

    public void closeAI() {
        player = 0;
    }
}
