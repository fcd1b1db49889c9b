package other.move;

import java.util.List;
import other.action.Action;
import other.context.Context;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Move {
    public final int cell;

    public Move(int cell) {
        this.cell = cell;
    }

    public boolean isPass() {
        return false;
    }

    public List<Action> actions() {
        return List.of(new Action(cell));
    }

    public List<Action> getActionsWithConsequences(Context context) {
        return actions();
    }
}
