package other;

import other.context.Context;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class RankUtils {
    public static double[] utilities(Context context) {
        int winner = context.winner();
        return new double[] {0, winner == 0 ? 0 : winner == 1 ? 1 : -1, winner == 0 ? 0 : winner == 2 ? 1 : -1};
    }
}
