package main.options;

import java.util.List;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class UserSelections {
    public UserSelections(List<String> options) {}
}
