package org.ggp.base.util.statemachine;

/** Part of a stand-in for ggp-base: the interface that the adapter uses, on a game written here. */
public final class MachineState {
    public final int[] cells;
    public final int plies;

    public MachineState(int[] cells, int plies) {
        this.cells = cells;
        this.plies = plies;
    }
}
