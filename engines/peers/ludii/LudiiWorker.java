import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import compiler.Compiler;
import main.Constants;
import main.grammar.Description;
import main.grammar.Report;
import main.options.UserSelections;
import other.RankUtils;
import other.action.Action;
import other.context.Context;
import other.move.Move;
import other.trial.Trial;
import search.mcts.MCTS;

/** Ludii as a worker, by its public interface. `fast` is its own `Game.playout`, searches are its own UCT. */
public final class LudiiWorker implements Protocol.Peer {
    public static void main(String[] arguments) throws Exception {
        Protocol.serve(new LudiiWorker());
    }

    @Override
    public String name() {
        return "ludii";
    }

    @Override
    public String version() {
        return Constants.LUDEME_VERSION;
    }

    @Override
    public String language() {
        return "lud";
    }

    @Override
    public Protocol.Game load(String text, List<String> options) throws Protocol.Refused {
        game.Game game;
        try {
            Object compiled = Compiler.compile(
                new Description(text), new UserSelections(new ArrayList<>(options)), new Report(), false);
            game = (game.Game) compiled;
        } catch (RuntimeException error) {
            throw new Protocol.Refused("invalid", Protocol.reason(error));
        }
        if (game == null) throw new Protocol.Refused("invalid", "Ludii compiles it to nothing");
        if (game.hasSubgames()) throw new Protocol.Refused("unsupported", "matches of several games");
        if (game.isStochasticGame()) throw new Protocol.Refused("unsupported", "games of chance");
        if (game.hiddenInformation()) throw new Protocol.Refused("unsupported", "games of hidden information");
        if (!game.isAlternatingMoveGame()) throw new Protocol.Refused("unsupported", "moves at the same time");
        if (game.players().count() > 2) throw new Protocol.Refused("unsupported", "more than two players");
        return new LudiiGame(game);
    }

    private static final class LudiiGame implements Protocol.Game {
        private final game.Game game;
        /** For playouts, which come one after another. */
        private final Context playing;

        LudiiGame(game.Game game) {
            this.game = game;
            playing = new Context(game, new Trial(game));
        }

        @Override
        public int players() {
            return game.players().count();
        }

        @Override
        public String distribution() {
            return "drawn by Ludii's own playouts";
        }

        @Override
        public Protocol.Position start() {
            Context context = new Context(game, new Trial(game));
            game.start(context);
            return new LudiiPosition(game, context);
        }

        @Override
        public Protocol.Ended play(long bits, int cap) {
            Protocol.Draws draws = new Protocol.Draws(bits);
            game.start(playing);
            Trial trial = playing.trial();
            int from = trial.numInitialPlacementMoves();
            // Ludii counts passes as moves, so that a playout may have to go on at its cap.
            int plies = 0;
            while (!trial.over() && plies < cap) {
                game.playout(playing, null, 1.0, null, -1, cap - plies, draws);
                plies = plies(trial, from);
            }
            LudiiPosition.settle(game, playing);
            return new Protocol.Ended(plies, trial.over() ? LudiiPosition.scores(playing) : null);
        }

        @Override
        public String searches() {
            return "Ludii's own search, from the start and from positions of random games, which tells neither how"
                + " long simulations are nor what they pay";
        }

        /** What is not known is told as a draw after no plies. */
        @Override
        public Protocol.Ended search(long bits, int cap, int simulations) {
            Context root = root(new Protocol.Draws(bits), cap);
            MCTS search = MCTS.createUCT();
            search.initAI(game, root.state().mover());
            search.selectAction(game, root, -1, simulations, -1);
            search.closeAI();
            int[] scores = new int[players()];
            java.util.Arrays.fill(scores, 50);
            return new Protocol.Ended(0, scores);
        }

        /** The start, or a position of a random game in which somebody has a choice, each being as likely. */
        private Context root(Protocol.Draws draws, int cap) {
            Context context = new Context(game, new Trial(game));
            game.start(context);
            LudiiPosition.settle(game, context);
            Context root = new Context(context);
            boolean isStart = draws.nextBoolean();
            for (int seen = 2; !isStart && seen <= cap; seen++) {
                var legal = game.moves(context).moves();
                game.apply(context, legal.get(draws.nextInt(legal.size())));
                LudiiPosition.settle(game, context);
                if (context.trial().over()) break;
                if (draws.nextInt(seen) == 0) root = new Context(context);
            }
            return root;
        }

        /** Moves that are no passes: in these games nobody passes who could do something else. */
        private static int plies(Trial trial, int from) {
            int plies = 0;
            for (int i = from; i < trial.numMoves(); i++) {
                if (!trial.getMove(i).isPass()) plies++;
            }
            return plies;
        }
    }

    private static final class LudiiPosition implements Protocol.Position {
        private final game.Game game;
        private final Context context;
        private List<Move> moves;
        private List<String> labels;

        LudiiPosition(game.Game game, Context context) {
            this.game = game;
            this.context = context;
            settle(game, context);
        }

        /** Plays passes that are a player's only move. */
        static void settle(game.Game game, Context context) {
            while (!context.trial().over()) {
                var legal = game.moves(context).moves();
                if (legal.size() != 1 || !legal.get(0).isPass()) return;
                game.apply(context, legal.get(0));
            }
        }

        static int[] scores(Context context) {
            double[] utilities = RankUtils.utilities(context);
            int[] scores = new int[utilities.length - 1];
            for (int i = 0; i < scores.length; i++) scores[i] = (int) Math.round(50 + 50 * utilities[i + 1]);
            return scores;
        }

        @Override
        public int turn() {
            return context.trial().over() ? -1 : context.state().mover() - 1;
        }

        @Override
        public int[] scores() {
            return scores(context);
        }

        /** Distinct moves: some lists have moves that do the same. */
        private List<Move> moves() {
            if (moves != null) return moves;
            moves = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            var legal = game.moves(context).moves();
            for (int i = 0; i < legal.size(); i++) {
                Move move = legal.get(i);
                StringBuilder key = new StringBuilder();
                for (Action action : move.getActionsWithConsequences(context))
                    key.append(action.toTrialFormat(context)).append(';');
                if (seen.add(key.toString())) moves.add(move);
            }
            return moves;
        }

        @Override
        public List<String> labels() {
            if (labels != null) return labels;
            labels = new ArrayList<>();
            Map<String, Integer> times = new HashMap<>();
            for (Move move : moves()) {
                String label = label(move);
                int time = times.merge(label, 1, Integer::sum);
                labels.add(time == 1 ? label : label + "#" + time);
            }
            return labels;
        }

        private static final Pattern SITES = Pattern.compile("([A-Z]+\\d+)(?:-([A-Z]+\\d+))?\\+?.*");

        /** `A1-B2` as `a1b2`, `A1+` as `a1`; what reads otherwise as it is. */
        private String label(Move move) {
            StringBuilder text = new StringBuilder();
            for (Action action : move.actions()) {
                if (text.length() > 0) text.append(',');
                text.append(String.valueOf(action.toTurnFormat(context, true)));
            }
            Matcher sites = SITES.matcher(text);
            if (!sites.matches()) return text.toString();
            String to = sites.group(2) == null ? "" : sites.group(2);
            return (sites.group(1) + to).toLowerCase(java.util.Locale.ROOT);
        }

        @Override
        public Protocol.Position after(int action) {
            Context next = new Context(context);
            game.apply(next, moves().get(action));
            return new LudiiPosition(game, next);
        }
    }
}
