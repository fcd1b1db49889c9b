//! Figures that engines report of the games that they compiled.

use std::fmt;

/// Declares the facts, each with what it counts and the name that it has in reports and protocol.
macro_rules! build_facts {
    ($($(#[doc = $doc:literal])+ $fact:ident $name:literal)*) => {
        /// A figure of what was built, for people. Engines in other processes have names of their
        /// own for theirs, of which [`BuildFact::Lanes`] alone means something to the harness.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum BuildFact {
            $($(#[doc = $doc])+ $fact,)*
        }

        impl BuildFact {
            /// Its name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(BuildFact::$fact => $name,)*
                }
            }
        }
    };
}

build_facts! {
    /// Playouts that a long job plays side by side.
    Lanes "lanes"
    /// Positions in the table that playouts walk, where all were explored while compiling.
    TabledPositions "positions in the table"
    /// Bytes of machine code for the rules.
    MachineCodeBytes "bytes of machine code"

    /// Ludemes: sites of all containers.
    Sites "sites"
    /// Ludemes: 64-bit words of a set of sites.
    Words "words"
    /// Ludemes: components, such as sorts of pieces.
    Components "components"
    /// Ludemes: phases of the rules.
    Phases "phases"
    /// Ludemes: generators of moves.
    Generators "generators"
    /// Ludemes: games of a match.
    MatchGames "games of the match"

    /// RG: nodes of the automaton of the rules.
    Nodes "nodes"
    /// RG: turns that code tells apart.
    Turns "turns"
    /// RBG: vertices of the board.
    Vertices "vertices"
    /// RBG: pieces.
    Pieces "pieces"
    /// RG, RBG: edges of the automaton of the rules; GDL: of the network.
    Edges "edges"
    /// RBG: layers of the automaton.
    Layers "layers"
    /// RBG: walks over the board.
    Walks "walks"
    /// RBG: patterns that are tested.
    Patterns "patterns"
    /// RBG: relations between vertices.
    Relations "relations"
    /// RBG: layers that playouts run as instructions.
    LayerInstructions "layers as instructions"
    /// RG, RBG: nodes of the code that playouts run.
    CodeNodes "nodes of code"
    /// RBG: tests that are told from what is kept from turn to turn.
    KeptTests "tests told from what is kept"

    /// GDL, proved: rules of the description.
    Rules "rules"
    /// GDL, proved: relations without functions in their arguments.
    FlatRelations "flat relations"
    /// GDL, proved: rules of these.
    FlatRules "flat rules"
    /// GDL, proved: rows that hold in every position.
    StaticRows "static rows"
    /// GDL, proved: operations of the code that derives facts.
    Operations "operations"
    /// GDL, proved: bytes of that code.
    CodeBytes "code bytes"

    /// GDL, grounded: facts that can hold.
    GroundFacts "ground facts"
    /// GDL, grounded: bytes that grounding used.
    GroundBytes "ground bytes"
    /// GDL, grounded: steps of work.
    GroundWork "ground work"
    /// GDL, grounded: how often an evaluation went on with rules taken apart.
    GroundRestarts "ground restarts"
    /// GDL, grounded: rules that were taken apart.
    SplitRules "rules taken apart"
    /// GDL, grounded: atoms.
    Atoms "atoms"
    /// GDL, grounded: rules.
    GroundRules "ground rules"
    /// Network: facts of a position.
    Bases "bases"
    /// Network: moves.
    Moves "moves"
    /// Network: gates.
    Gates "gates"
    /// Network: gates one after another on the longest path, a loop being one.
    Depth "depth"
    /// Network: gates that depend on themselves.
    GatesInLoops "in loops"
    /// Network: groups of moves of which one is chosen.
    MoveGroups "groups of moves"
    /// Network: playouts of a job from which on they are played side by side.
    SideBySideFrom "side by side from"
    /// Network, by events: nodes.
    EventNodes "event nodes"
    /// Network, by events: edges.
    EventEdges "event edges"
    /// Network, by events: gates that are evaluated only when somebody asks.
    PulledGates "pulled gates"
    /// Network, by events: facts that change by themselves.
    DriftingBases "drifting bases"
    /// Network, by events: steps of programs.
    ProgramSteps "program steps"
    /// Network, by events: changes that are summed up beforehand.
    SummedSteps "summed steps"
    /// Network, by lanes: gates.
    BatchGates "batch gates"
    /// Network, by lanes: operands of gates.
    BatchOperands "batch operands"
    /// Network, by lanes: runs of gates of one sort.
    BatchRuns "batch runs"
    /// Network, by lanes: slots for values.
    BatchSlots "batch slots"
    /// Network, by lanes: planes of numbers.
    BatchPlanes "batch planes"
    /// Network, by lanes: sets of moves that players choose from.
    BatchMoveSets "batch move sets"
}

impl fmt::Display for BuildFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
