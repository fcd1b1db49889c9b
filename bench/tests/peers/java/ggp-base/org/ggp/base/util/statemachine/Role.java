package org.ggp.base.util.statemachine;

/** Part of a stand-in for ggp-base: the interface that the adapter uses, on a game written here. */
public final class Role {
    private final String name;

    public Role(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
