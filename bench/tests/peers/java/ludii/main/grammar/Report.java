package main.grammar;

/** Part of a stand-in for Ludii: the interface that the adapter uses, on a game written here. */
public final class Report {}
