package org.ggp.base.util.statemachine;

/** Part of a stand-in for ggp-base: the interface that the adapter uses, on a game written here. */
public final class Move {
    private final String text;

    public Move(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
