package other.state;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class State {
    private final int mover;

    public State(int mover) {
        this.mover = mover;
    }

    public int mover() {
        return mover;
    }
}
