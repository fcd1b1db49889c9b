package main;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Constants {
    public static final String LUDEME_VERSION = "0.0.0";
}
