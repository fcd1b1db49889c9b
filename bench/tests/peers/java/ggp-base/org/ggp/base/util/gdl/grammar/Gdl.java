package org.ggp.base.util.gdl.grammar;

/** Part of a stand-in for ggp-base: the interface that the adapter uses, on a game written here. */
public final class Gdl {}
