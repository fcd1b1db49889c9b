import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.ggp.base.util.game.Game;
import org.ggp.base.util.gdl.grammar.Gdl;
import org.ggp.base.util.gdl.grammar.GdlPool;
import org.ggp.base.util.statemachine.MachineState;
import org.ggp.base.util.statemachine.Move;
import org.ggp.base.util.statemachine.Role;
import org.ggp.base.util.statemachine.StateMachine;
import org.ggp.base.util.statemachine.implementation.prover.ProverStateMachine;

/**
 * A state machine of ggp-base as a worker: its prover, or another class that the system property
 * `machine` names. `fast` lists the legal moves of all roles and draws one for each, as ggp-base does
 * where it counts playouts.
 */
public final class GgpWorker implements Protocol.Peer {
    public static void main(String[] arguments) throws Exception {
        Protocol.serve(new GgpWorker());
    }

    @Override
    public String name() {
        return "ggp-base";
    }

    @Override
    public String version() {
        return System.getProperty("machine", "prover");
    }

    @Override
    public String language() {
        return "kif";
    }

    @Override
    public Protocol.Game load(String text, List<String> options) throws Protocol.Refused {
        try {
            GdlPool.caseSensitive = false;
            List<Gdl> rules = Game.createEphemeralGame(Game.preprocessRulesheet(text)).getRules();
            if (rules == null) throw new Protocol.Refused("invalid", "ggp-base does not read these rules");
            String name = System.getProperty("machine");
            StateMachine machine = name == null
                ? new ProverStateMachine()
                : (StateMachine) Class.forName(name).getDeclaredConstructor().newInstance();
            machine.initialize(rules);
            for (Role role : machine.getRoles()) {
                if (role.toString().equalsIgnoreCase("random"))
                    throw new Protocol.Refused("unsupported", "games of chance");
            }
            if (text.toLowerCase(Locale.ROOT).contains("(sees "))
                throw new Protocol.Refused("unsupported", "games of hidden information");
            return new GgpGame(machine);
        } catch (Protocol.Refused refused) {
            throw refused;
        } catch (OutOfMemoryError error) {
            throw new Protocol.Refused("too large", "out of memory");
        } catch (Exception error) {
            throw new Protocol.Refused("invalid", Protocol.reason(error));
        }
    }

    private static final class GgpGame implements Protocol.Game {
        final StateMachine machine;
        final List<Role> roles;

        GgpGame(StateMachine machine) throws Exception {
            this.machine = machine;
            roles = machine.getRoles();
            start();
        }

        @Override
        public int players() {
            return roles.size();
        }

        @Override
        public String distribution() {
            return "drawn by steps of all roles";
        }

        @Override
        public Protocol.Position start() {
            return GgpPosition.at(this, machine.getInitialState());
        }

        @Override
        public Protocol.Ended play(long bits, int cap) {
            try {
                Protocol.Draws draws = new Protocol.Draws(bits);
                MachineState state = machine.getInitialState();
                int plies = 0;
                while (!machine.isTerminal(state)) {
                    List<Move> joint = new ArrayList<>(roles.size());
                    int chosen = 0;
                    for (Role role : roles) {
                        List<Move> legal = machine.getLegalMoves(state, role);
                        if (!isPass(legal)) chosen++;
                        joint.add(legal.get(draws.nextInt(legal.size())));
                    }
                    if (plies + chosen > cap) return new Protocol.Ended(cap, null);
                    plies += chosen;
                    state = machine.getNextState(state, joint);
                }
                return new Protocol.Ended(plies, goals(state));
            } catch (Exception error) {
                throw new IllegalStateException(Protocol.reason(error), error);
            }
        }

        /** Whether a role can do nothing but wait, which is no ply. */
        static boolean isPass(List<Move> legal) {
            return legal.size() == 1 && legal.get(0).toString().equalsIgnoreCase("noop");
        }

        int[] goals(MachineState state) throws Exception {
            int[] goals = new int[roles.size()];
            for (int i = 0; i < goals.length; i++) goals[i] = machine.getGoal(state, roles.get(i));
            return goals;
        }
    }

    /** A state, and what the first roles have chosen in it: who choose at the same time choose in turn. */
    private static final class GgpPosition implements Protocol.Position {
        private final GgpGame game;
        private final MachineState state;
        private final List<Move> chosen;
        /** The legal moves of the role that chooses; null if the game is over. */
        private final List<Move> legal;

        private GgpPosition(GgpGame game, MachineState state, List<Move> chosen, List<Move> legal) {
            this.game = game;
            this.state = state;
            this.chosen = chosen;
            this.legal = legal;
        }

        static GgpPosition at(GgpGame game, MachineState state) {
            try {
                return choosing(game, state, new ArrayList<>());
            } catch (Exception error) {
                throw new IllegalStateException(Protocol.reason(error), error);
            }
        }

        /** The next position in which somebody chooses, or the end. */
        private static GgpPosition choosing(GgpGame game, MachineState state, List<Move> chosen)
            throws Exception {
            while (!game.machine.isTerminal(state)) {
                while (chosen.size() < game.roles.size()) {
                    List<Move> legal = game.machine.getLegalMoves(state, game.roles.get(chosen.size()));
                    if (!GgpGame.isPass(legal)) return new GgpPosition(game, state, chosen, distinct(legal));
                    chosen.add(legal.get(0));
                }
                state = game.machine.getNextState(state, chosen);
                chosen = new ArrayList<>();
            }
            return new GgpPosition(game, state, chosen, null);
        }

        private static List<Move> distinct(List<Move> moves) {
            Map<String, Move> all = new LinkedHashMap<>();
            for (Move move : moves) all.putIfAbsent(move.toString(), move);
            return new ArrayList<>(all.values());
        }

        @Override
        public int turn() {
            return legal == null ? -1 : chosen.size();
        }

        @Override
        public int[] scores() {
            try {
                return game.goals(state);
            } catch (Exception error) {
                throw new IllegalStateException(Protocol.reason(error), error);
            }
        }

        /** What remains of an action without its verb, `(move a 2 a 3)` as `a2a3`; all of it if two share that. */
        @Override
        public List<String> labels() {
            if (legal == null) return List.of();
            Map<String, Integer> times = new LinkedHashMap<>();
            for (Move move : legal) times.merge(label(move), 1, Integer::sum);
            List<String> labels = new ArrayList<>();
            for (Move move : legal) labels.add(times.get(label(move)) == 1 ? label(move) : whole(move));
            return labels;
        }

        private static String whole(Move move) {
            return move.toString().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").trim();
        }

        private static String label(Move move) {
            String text = whole(move);
            if (text.equals("noop")) return "pass";
            if (!text.startsWith("(")) return text;
            String[] words = text.replaceAll("[()]", " ").trim().split("\\s+");
            StringBuilder label = new StringBuilder();
            for (int i = 1; i < words.length; i++) label.append(words[i]);
            return label.length() == 0 ? words[0] : label.toString();
        }

        @Override
        public Protocol.Position after(int action) {
            try {
                List<Move> joint = new ArrayList<>(chosen);
                joint.add(legal.get(action));
                return choosing(game, state, joint);
            } catch (Exception error) {
                throw new IllegalStateException(Protocol.reason(error), error);
            }
        }
    }
}
