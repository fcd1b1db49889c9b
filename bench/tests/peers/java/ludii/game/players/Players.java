package game.players;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Players {
    public int count() {
        return 2;
    }
}
