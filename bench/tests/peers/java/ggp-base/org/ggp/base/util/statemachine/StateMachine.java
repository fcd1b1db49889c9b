package org.ggp.base.util.statemachine;

import java.util.List;
import org.ggp.base.util.gdl.grammar.Gdl;

/** Part of a stand-in for ggp-base: the interface that the adapter uses, on a game written here. */
public abstract class StateMachine {
    public abstract void initialize(List<Gdl> rules);

    public abstract List<Role> getRoles();

    public abstract MachineState getInitialState();

    public abstract boolean isTerminal(MachineState state);

    public abstract int getGoal(MachineState state, Role role) throws Exception;

    public abstract List<Move> getLegalMoves(MachineState state, Role role) throws Exception;

    public abstract MachineState getNextState(MachineState state, List<Move> moves) throws Exception;
}
