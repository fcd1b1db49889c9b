import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the workers of peers on the Java virtual machine share: the worker protocol, and the proof that it
 * asks for. `../../README.md` documents the protocol, and the fingerprints follow
 * `../../play/src/tree.rs`. Only what Java itself brings is used.
 */
public final class Protocol {
    private Protocol() {}

    /** A request that cannot be met: its kind (`unsupported`, `invalid`, `too large`, ...), and why. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        final String kind;

        public Refused(String kind, String message) {
            super(message);
            this.kind = kind;
        }
    }

    /** More positions would have to be visited than were allowed. */
    private static final class OverBudget extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /**
     * A position, which does not change once it was handed out. It is settled: where the mover has a
     * forced pass and nothing else, the peer has passed already.
     */
    public interface Position {
        /** Who moves, from 0; -1 if the game is over. */
        int turn();

        /** Scores, one a player, of a position that is over. */
        int[] scores();

        /** The texts of the legal actions, one for each, in an order that the position determines. */
        List<String> labels();

        /** What the action of this number leads to. */
        Position after(int action);
    }

    /** A loaded game. */
    public interface Game {
        int players();

        Position start();

        /** Plays one playout by the peer's own loop, with draws that come from `bits` alone. */
        Ended play(long bits, int cap);

        /** Why playouts of `play` are not those of the reference loop, one by one; empty if they are. */
        String distribution();

        /** What is not known of the peer's searches, which nobody can check then; null if it makes none. */
        default String searches() {
            return null;
        }

        /** A search of so many simulations from a position that `bits` choose. */
        default Ended search(long bits, int cap, int simulations) {
            throw new UnsupportedOperationException();
        }
    }

    /** How a playout ended: after so many plies, with these scores, or none if the cap ended it. */
    public static final class Ended {
        final int plies;
        final int[] scores;

        public Ended(int plies, int[] scores) {
            this.plies = plies;
            this.scores = scores;
        }
    }

    /** A system that loads games. */
    public interface Peer {
        String name();

        String version();

        /** The language that it reads: `lud` or `kif`. */
        String language();

        Game load(String text, List<String> options) throws Refused;
    }

    // ---- Draws and hashes: 64 bits, all arithmetic modulo 2^64. ----

    static final long GOLDEN = 0x9E3779B97F4A7C15L;

    public static long mix(long x) {
        x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
        x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
        return x ^ x >>> 31;
    }

    /** 64 bits that belong to a playout: all bits of the seed and of the id go into each. */
    static long stream(long seed, long id) {
        return mix(mix(seed ^ GOLDEN) + id * GOLDEN);
    }

    /** Uniform draws by SplitMix64 (Steele, Lea and Flood 2014). */
    public static final class Draws extends java.util.Random {
        private static final long serialVersionUID = 1L;
        private long state;

        public Draws(long bits) {
            super(0);
            state = bits;
        }

        @Override
        protected int next(int bits) {
            state += GOLDEN;
            return (int) (mix(state) >>> 64 - bits);
        }
    }

    static long hashScores(int[] scores) {
        long bits = scores.length;
        for (int score : scores) bits = (bits ^ (score & 0xFFFFFFFFL)) * GOLDEN;
        return mix(0x5C0E ^ mix(bits));
    }

    static long fold(long h, long[] children) {
        long[] sorted = children.clone();
        for (int i = 0; i < sorted.length; i++) sorted[i] += Long.MIN_VALUE; // ascending as unsigned numbers
        Arrays.sort(sorted);
        for (long child : sorted) h = mix(h * GOLDEN ^ child - Long.MIN_VALUE);
        return h;
    }

    private long budget;

    private void spend() throws OverBudget {
        if (budget <= 0) throw new OverBudget();
        budget--;
    }

    private long fingerprint(Position position, int depth) throws OverBudget {
        spend();
        int turn = position.turn();
        if (turn < 0) return hashScores(position.scores());
        int actions = position.labels().size();
        long h = mix((long) turn << 32 | actions | 1L << 48);
        return depth > 0 ? fold(h, prints(position, depth)) : h;
    }

    private long[] prints(Position position, int depth) throws OverBudget {
        long[] all = new long[position.labels().size()];
        for (int i = 0; i < all.length; i++) all[i] = fingerprint(position.after(i), depth - 1);
        return all;
    }

    private void countBelow(Position position, long[] counts, int level) throws OverBudget {
        if (level == counts.length || position.turn() < 0) return;
        int actions = position.labels().size();
        if (level + 1 == counts.length) {
            spend();
            counts[level] += actions;
            return;
        }
        for (int i = 0; i < actions; i++) {
            spend();
            counts[level]++;
            countBelow(position.after(i), counts, level + 1);
        }
    }

    // ---- The requests. ----

    private Peer peer;
    private Game game;
    /** Simulations of the searches that are made in the place of playouts, or 0. */
    private int simulations;
    private final List<Position> trail = new ArrayList<>();
    private final List<Long> path = new ArrayList<>();

    private Object hello() {
        return map("protocol", 1L, "engine", peer.name(), "version", peer.version(),
            "languages", List.of(peer.language()), "rng", "SplitMix64");
    }

    private Object load(Map<?, ?> request) throws Refused {
        game = null;
        trail.clear();
        path.clear();
        if (!peer.language().equals(request.get("language")))
            throw new Refused("unsupported", peer.name() + " reads ." + peer.language() + " files");
        List<String> options = new ArrayList<>();
        if (request.get("options") instanceof List)
            for (Object option : (List<?>) request.get("options")) options.add((String) option);
        Game loaded = peer.load((String) request.get("text"), options);
        game = loaded;
        simulations = 0;
        if (request.get("simulations") instanceof Number && loaded.searches() != null)
            simulations = (int) number(request, "simulations");
        if (simulations > 0) {
            return map("players", (long) game.players(), "method", "listed",
                "simulations", (long) simulations, "variant", loaded.searches());
        }
        return map("players", (long) game.players(), "method", "listed", "distribution", game.distribution());
    }

    private static long number(Map<?, ?> request, String name) {
        return ((Number) request.get(name)).longValue();
    }

    private Object run(Map<?, ?> request) throws Refused {
        if (Boolean.TRUE.equals(request.get("passes")))
            throw new Refused("unsupported", "forced passes are no plies here");
        if ("batch".equals(request.get("via"))) throw new Refused("unsupported", "no batches here");
        if (!List.of("fast", "reference", "interpreted").contains(request.get("via"))) {
            throw new Refused("protocol", "there is no such way to play");
        }
        if (number(request, "threads") != 1) throw new Refused("unsupported", "it plays on one thread");
        long seed = number(request, "seed"), first = number(request, "first"), count = number(request, "count");
        int cap = (int) Math.min(number(request, "cap"), Integer.MAX_VALUE);
        boolean reference = "reference".equals(request.get("via"));
        if (simulations > 0 && reference) throw new Refused("unsupported", "it has one way to search");
        long plies = 0, squares = 0, capped = 0, digest = 0;
        TreeMap<List<Long>, Long> outcomes = new TreeMap<>(Protocol::compare);
        for (long id = first; id < first + count; id++) {
            long bits = stream(seed, id);
            Ended ended = simulations > 0 ? game.search(bits, cap, simulations)
                : reference ? byList(bits, cap) : game.play(bits, cap);
            plies += ended.plies;
            squares += (long) ended.plies * ended.plies;
            long hash = mix(id) ^ ended.plies;
            if (ended.scores == null) {
                capped++;
            } else {
                List<Long> scores = new ArrayList<>();
                for (int score : ended.scores) scores.add((long) score);
                outcomes.merge(scores, 1L, Long::sum);
                hash ^= hashScores(ended.scores);
            }
            digest += mix(hash);
        }
        List<Object> counts = new ArrayList<>();
        outcomes.forEach((scores, n) -> counts.add(List.of(scores, n)));
        return map("playouts", count, "plies", plies, "plies_squared", squares, "capped", capped, "stuck", 0L,
            "outcomes", counts, "digest", hex(digest));
    }

    private static int compare(List<Long> a, List<Long> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = a.get(i).compareTo(b.get(i));
            if (order != 0) return order;
        }
        return Integer.compare(a.size(), b.size());
    }

    /** The reference loop: all legal actions of every position are listed, and one is drawn. */
    private Ended byList(long bits, int cap) {
        Draws draws = new Draws(bits);
        Position position = game.start();
        int plies = 0;
        while (position.turn() >= 0) {
            if (plies == cap) return new Ended(plies, null);
            position = position.after(draws.nextInt(position.labels().size()));
            plies++;
        }
        return new Ended(plies, position.scores());
    }

    private Object perft(Map<?, ?> request) throws Refused {
        if (Boolean.TRUE.equals(request.get("passes")))
            throw new Refused("unsupported", "forced passes are no plies here");
        long[] counts = new long[(int) number(request, "depth")];
        budget = number(request, "budget");
        try {
            countBelow(game.start(), counts, 0);
        } catch (OverBudget over) {
            return null;
        }
        List<Object> all = new ArrayList<>();
        for (long count : counts) all.add(count);
        return all;
    }

    private Object fingerprint(Map<?, ?> request) {
        budget = number(request, "budget");
        try {
            return hex(fingerprint(game.start(), (int) number(request, "depth")));
        } catch (OverBudget over) {
            return null;
        }
    }

    private Object walk(Map<?, ?> request) throws Refused {
        Position position = follow((List<?>) request.get("path"));
        List<Object> found = null;
        int depth = (int) number(request, "depth");
        if (depth > 0) {
            budget = number(request, "budget");
            try {
                found = new ArrayList<>();
                for (long print : prints(position, depth)) found.add(hex(print));
            } catch (OverBudget over) {
                found = null;
            }
        }
        boolean over = position.turn() < 0;
        List<Object> scores = over ? new ArrayList<>() : null;
        if (over) for (int score : position.scores()) scores.add((long) score);
        List<String> labels = over ? List.of() : position.labels();
        return map("turn", over ? null : (Object) (long) position.turn(), "scores", scores, "labels", labels,
            "prints", found, "draw", "");
    }

    /** The position that a path leads to, by what it has in common with the last one. */
    private Position follow(List<?> wanted) throws Refused {
        int common = 0;
        while (common < path.size() && common < wanted.size() && path.get(common).equals(wanted.get(common)))
            common++;
        while (path.size() > common) path.remove(path.size() - 1);
        while (trail.size() > common + 1) trail.remove(trail.size() - 1);
        if (trail.isEmpty()) trail.add(game.start());
        for (Object step : wanted.subList(common, wanted.size())) {
            Position last = trail.get(trail.size() - 1);
            long number = ((Number) step).longValue();
            int actions = last.turn() < 0 ? 0 : last.labels().size();
            if (number >= actions)
                throw new Refused("protocol", "there are " + actions + " actions, and none with number " + number);
            trail.add(last.after((int) number));
            path.add(number);
        }
        return trail.get(trail.size() - 1);
    }

    private Object answer(Map<?, ?> request) throws Refused {
        String command = String.valueOf(request.get("cmd"));
        if (game == null && List.of("run", "perft", "fingerprint", "walk").contains(command))
            throw new Refused("protocol", "`" + command + "` before a game was loaded");
        switch (command) {
            case "hello": return hello();
            case "load": return load(request);
            case "run": return run(request);
            case "perft": return perft(request);
            case "fingerprint": return fingerprint(request);
            case "walk": return walk(request);
            default: throw new Refused("unknown", "no command " + command);
        }
    }

    /**
     * Answers requests until the input ends. Libraries print as they like: what they print goes to
     * standard error, and answers to the original standard output. Deep descriptions need a deep stack.
     */
    public static void serve(Peer peer) throws Exception {
        PrintStream answers = new PrintStream(System.out, false, "UTF-8");
        System.setOut(System.err);
        Protocol protocol = new Protocol();
        protocol.peer = peer;
        Throwable[] fault = new Throwable[1];
        Thread thread = new Thread(null, () -> {
            try {
                protocol.converse(answers);
            } catch (Throwable error) {
                fault[0] = error;
            }
        }, "worker", 1L << 29);
        thread.start();
        thread.join();
        if (fault[0] != null) {
            fault[0].printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    private void converse(PrintStream answers) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Object reply;
            try {
                reply = map("ok", answer((Map<?, ?>) new Json(line).value()));
            } catch (Refused refused) {
                reply = map("error", map("kind", refused.kind, "message", refused.getMessage()));
            } catch (StackOverflowError deep) {
                reply = map("error", map("kind", "too large", "message", "nested too deeply"));
            }
            StringBuilder text = new StringBuilder();
            write(reply, text);
            answers.println(text);
            answers.flush();
        }
    }

    /** The first line of why something failed, for a table. */
    public static String reason(Throwable error) {
        while (error.getCause() != null && error.getCause() != error) error = error.getCause();
        String text = String.valueOf(error.getMessage()).replaceAll("<[^>]*>|\\s+", " ").trim();
        String all = error.getClass().getSimpleName() + ": " + text;
        return all.length() > 300 ? all.substring(0, 300) : all;
    }

    // ---- JSON. ----

    static String hex(long value) {
        return String.format("%016x", value);
    }

    static Map<String, Object> map(Object... pairs) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) all.put((String) pairs[i], pairs[i + 1]);
        return all;
    }

    static void write(Object value, StringBuilder out) {
        if (value instanceof String) {
            out.append('"');
            for (char c : ((String) value).toCharArray()) {
                if (c == '"' || c == '\\') out.append('\\').append(c);
                else if (c < 32) out.append(String.format("\\u%04x", (int) c));
                else out.append(c);
            }
            out.append('"');
        } else if (value instanceof Map) {
            String comma = "{";
            for (Map.Entry<?, ?> pair : ((Map<?, ?>) value).entrySet()) {
                out.append(comma);
                write(pair.getKey(), out);
                out.append(':');
                write(pair.getValue(), out);
                comma = ",";
            }
            out.append('}');
        } else if (value instanceof List) {
            out.append('[');
            String comma = "";
            for (Object item : (List<?>) value) {
                out.append(comma);
                write(item, out);
                comma = ",";
            }
            out.append(']');
        } else {
            out.append(value);
        }
    }

    /** A reader of what the harness sends: objects, lists, strings, whole numbers, true, false and null. */
    static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        private char next() throws Refused {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
            if (at == text.length()) throw new Refused("protocol", "the request ends too early");
            return text.charAt(at);
        }

        private boolean take(char wanted) throws Refused {
            boolean there = next() == wanted;
            if (there) at++;
            return there;
        }

        Object value() throws Refused {
            char c = next();
            if (c == '{') {
                at++;
                Map<String, Object> all = new LinkedHashMap<>();
                while (!take('}')) {
                    String key = (String) value();
                    if (!take(':')) throw new Refused("protocol", "no colon at " + at);
                    all.put(key, value());
                    take(',');
                }
                return all;
            }
            if (c == '[') {
                at++;
                List<Object> all = new ArrayList<>();
                while (!take(']')) {
                    all.add(value());
                    take(',');
                }
                return all;
            }
            if (c == '"') return string();
            int start = at;
            while (at < text.length() && "+-.0123456789abcdefghijklmnopqrstuvwxyz".indexOf(text.charAt(at)) >= 0) at++;
            String word = text.substring(start, at);
            switch (word) {
                case "null": return null;
                case "true": return true;
                case "false": return false;
                default:
            }
            try {
                return Long.parseUnsignedLong(word);
            } catch (NumberFormatException error) {
                throw new Refused("protocol", "not understood at " + start + ": " + word);
            }
        }

        private String string() throws Refused {
            StringBuilder all = new StringBuilder();
            at++;
            while (at < text.length() && text.charAt(at) != '"') {
                char c = text.charAt(at++);
                if (c == '\\' && at < text.length()) {
                    c = text.charAt(at++);
                    int escape = "nrtbf".indexOf(c);
                    if (escape >= 0) {
                        c = "\n\r\t\b\f".charAt(escape);
                    } else if (c == 'u' && at + 4 <= text.length()) {
                        c = (char) Integer.parseInt(text.substring(at, at + 4), 16);
                        at += 4;
                    }
                }
                all.append(c);
            }
            if (at == text.length()) throw new Refused("protocol", "a string without an end");
            at++;
            return all.toString();
        }
    }
}
