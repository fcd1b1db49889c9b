package other.action;

import other.context.Context;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Action {
    private final int cell;

    public Action(int cell) {
        this.cell = cell;
    }

    public String toTurnFormat(Context context, boolean coordinates) {
        return (char) ('A' + cell % 3) + String.valueOf(cell / 3 + 1) + "+";
    }

    public String toTrialFormat(Context context) {
        return "[Add:to=" + cell + "]";
    }
}
