package org.ggp.base.util.statemachine.implementation.prover;

import java.util.ArrayList;
import java.util.List;
import org.ggp.base.util.gdl.grammar.Gdl;
import org.ggp.base.util.statemachine.MachineState;
import org.ggp.base.util.statemachine.Move;
import org.ggp.base.util.statemachine.Role;
import org.ggp.base.util.statemachine.StateMachine;

/** Part of a stand-in for ggp-base: the interface that the adapter uses, on a game written here. */
public final class ProverStateMachine extends StateMachine {
    private static final int[][] LINES = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}
    };

    private final List<Role> roles = List.of(new Role("x"), new Role("o"));

    @Override
    public void initialize(List<Gdl> rules) {}

    @Override
    public List<Role> getRoles() {
        return roles;
    }

    @Override
    public MachineState getInitialState() {
        return new MachineState(new int[9], 0);
    }

    private static int winner(int[] cells) {
        for (int[] line : LINES) {
            int first = cells[line[0]];
            if (first != 0 && first == cells[line[1]] && first == cells[line[2]]) return first;
        }
        return 0;
    }

    @Override
    public boolean isTerminal(MachineState state) {
        return winner(state.cells) != 0 || state.plies == 9;
    }

    @Override
    public int getGoal(MachineState state, Role role) {
        int winner = winner(state.cells);
        return winner == 0 ? 50 : winner == roles.indexOf(role) + 1 ? 100 : 0;
    }

    @Override
    public List<Move> getLegalMoves(MachineState state, Role role) {
        if (state.plies % 2 != roles.indexOf(role)) return List.of(new Move("noop"));
        List<Move> moves = new ArrayList<>();
        for (int cell = 0; cell < 9; cell++) {
            char file = (char) ('a' + cell % 3);
            if (state.cells[cell] == 0) moves.add(new Move("( mark " + file + " " + (cell / 3 + 1) + " )"));
        }
        return moves;
    }

    @Override
    public MachineState getNextState(MachineState state, List<Move> joint) {
        int mover = state.plies % 2;
        String[] words = joint.get(mover).toString().split(" ");
        int[] cells = state.cells.clone();
        cells[words[2].charAt(0) - 'a' + 3 * (Integer.parseInt(words[3]) - 1)] = mover + 1;
        return new MachineState(cells, state.plies + 1);
    }
}
