package main.grammar;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Description {
    private final String text;

    public Description(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
