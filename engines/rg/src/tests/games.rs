//! Small games that the tests play.

/// Dominoes on a circle of six cells, two cells each; who puts the last one wins.
pub(super) const DOMINOES: &str = "
domain Player = first | second
domain Score = 0 | 100
domain Piece = empty | domino
domain Cell = C(X) where X in 0..5
next : Cell -> Cell
next(C(X)) = C((X + 1) % 6)
board : Cell -> Piece
here : Cell
graph choose() {
  here = Cell(*)
  check(board[here] == empty && board[next(here)] == empty)
}
graph turn(me : Player) {
  player = me
  choose()
  $$ here
  board[here] = domino
  board[next(here)] = domino
  player = keeper
  if not(reachable(choose())) {
    goals[me] = 100
    end()
  }
}
graph rules() { loop { turn(first) turn(second) } }
";

/// Both throw one of 1 to 3 in turn, and go or wait; who comes to place 5 wins.
pub(super) const RACE: &str = "
domain Player = hare | tortoise
domain Score = 0 | 100
domain Place = P(X) where X in 0..5
domain Throw = T(N) where N in 1..3
ahead : Place -> Throw -> Place
ahead(P(X), T(N)) = if X + N > 5 then P(5) else P(X + N)
at : Player -> Place
throw : Throw
graph turn(me : Player) {
  player = random
  throw = Throw(*)
  $$ throw
  player = me
  branch { $ go at[me] = ahead(at[me], throw) } or { $ wait }
  player = keeper
  if at[me] == P(5) { goals[me] = 100 end() }
}
graph rules() { repeat 6 { turn(hare) turn(tortoise) } end() }
";

/// One hides a ball under a cup while the other does not see it, who then guesses the cup.
pub(super) const CUPS: &str = "
type Player = { hider, seeker };
type Score = { 0, 100 };
type Cup = { left, middle, right };
var ball: Cup = left;
var guess: Cup = left;
begin, hide: visible[seeker] = 0;
hide, hide1: player = hider;
hide1, hide2: ball = Cup(*);
hide2, hidden: $$ ball;
hidden, open: player = keeper;
open, ask: visible[seeker] = 1;
ask, ask1: player = seeker;
ask1, ask2: guess = Cup(*);
ask2, asked: $$ guess;
asked, judge: player = keeper;
judge, found: guess == ball;
judge, missed: guess != ball;
found, show: goals[seeker] = 100;
missed, show: goals[hider] = 100;
show, shown: $$ ball;
shown, end: player = keeper;
";

/// Stones on four cells, or a pass; who passes behind a pass loses.
pub(super) const PASSES: &str = "
domain Player = one | two
domain Score = 50 | 0
domain Cell = C(X) where X in 1..4
domain Piece = empty | Player
domain Bool = 0 | 1
board : Cell -> Piece
cell : Cell
passed : Bool
graph turn(me : Player) {
  player = me
  branch {
    cell = Cell(*)
    check(board[cell] == empty)
    $$ cell
    board[cell] = me
    passed = 0
    player = keeper
  } or {
    player = keeper
    if passed == 1 { goals[me] = 0 end() }
    passed = 1
  }
}
graph rules() { loop { turn(one) turn(two) } }
";

/// Three take one or two of seven counters in turn; the one who takes the last gets nothing.
pub(super) const THREE: &str = "
domain Player = a | b | c
domain Score = 0 | 50
domain Heap = H(N) where N in 0..7
domain HeapOrNone = none | Heap
domain Take = T(N) where N in 1..2
less : Heap -> Take -> HeapOrNone
less(H(N), T(K)) = if K > N then none else H(N - K)
next : Player -> Player
next(a) = b
next(b) = c
next(c) = a
heap : Heap = H(7)
take : Take
graph turn(me : Player) {
  player = me
  take = Take(*)
  check(less(heap, take) != none)
  $$ take
  heap = less(heap, take)
  player = keeper
  if heap == H(0) { goals[next(me)] = 50 goals[next(next(me))] = 50 end() }
}
graph rules() { loop { turn(a) turn(b) turn(c) } }
";

/// Two in turn step or, once each, leap one of two ways, so that several moves have one condition.
/// Whoever is ahead behind three rounds has won.
pub(super) const LEAPS: &str = "
domain Player = one | two
domain Score = 0 | 50 | 100
domain Way = back | forth
domain Place = P(N) where N in 0..12
domain Left = L(N) where N in 0..3
step : Way -> Place -> Place
step(back, P(N)) = P((N + 12) % 13)
step(forth, P(N)) = P((N + 1) % 13)
fewer : Left -> Left
fewer(L(N)) = L((N + 3) % 4)
isAhead : Place -> Place -> Bool
isAhead(P(N), P(M)) = if M < N then 1 else 0
at : Player -> Place = { :P(6) }
canLeap : Player -> Bool = { :1 }
isLeap : Bool
left : Left = L(3)
graph turn(me : Player) {
  player = me
  branch {
    isLeap = 0
  } or {
    check(canLeap[me] == 1)
    $ leap
    isLeap = 1
    canLeap[me] = 0
  }
  branch way in Way {
    $ way
    at[me] = step[way][at[me]]
    if isLeap == 1 { at[me] = step[way][at[me]] }
  }
  player = keeper
}
graph rules() {
  while left != L(0) {
    left = fewer[left]
    turn(one)
    turn(two)
  }
  goals[one] = 50
  goals[two] = 50
  if isAhead[at[one]][at[two]] == 1 { goals[one] = 100 goals[two] = 0 }
  if isAhead[at[two]][at[one]] == 1 { goals[one] = 0 goals[two] = 100 }
  end()
}
";

/// Two ride around a ring of six cells, as far as they like, and stop on a free cell. Behind four
/// rounds the first has won if it stands in front of the other.
pub(super) const RING: &str = "
domain Player = rider | guard
domain Score = 0 | 100
domain Cell = R(X) where X in 0..5
on : Cell -> Cell
on(R(X)) = R((X + 1) % 6)
other : Player -> Player
other(rider) = guard
other(guard) = rider
at : Player -> Cell = { rider = R(0); guard = R(3) }
to : Cell
graph turn(me : Player) {
  player = me
  to = at[me]
  loop {
    to = on(to)
    branch { check(to != at[other(me)]) break() } or {}
  }
  $$ to
  at[me] = to
  player = keeper
}
graph rules() {
  repeat 4 { turn(rider) turn(guard) }
  if on(at[rider]) == at[guard] { goals[rider] = 100 } else { goals[guard] = 100 }
  end()
}
";

/// A rook on 36 cells slides as far as it likes, which its tags say by a word for each cell, and
/// leaves a stone behind; pawns step to a neighbour. Who has no move loses. `BEYOND_..` are the
/// cells beyond the edges.
const SLIDES: &str = "
domain Player = rooks | pawns
domain Score = 0 | 100
domain Piece = empty | border | stone | rook | pawn
domain Cell = V(X, Y) where X in 0..5, Y in 0..5
domain CellOrNull = null | Cell
left : CellOrNull -> CellOrNull
left(V(X, Y)) = if X == 0 then BEYOND_LEFT else V(X - 1, Y)
left(_) = null
right : CellOrNull -> CellOrNull
right(V(X, Y)) = if X == 5 then BEYOND_RIGHT else V(X + 1, Y)
right(_) = null
up : CellOrNull -> CellOrNull
up(V(X, Y)) = if Y == 0 then null else V(X, Y - 1)
up(_) = null
down : CellOrNull -> CellOrNull
down(V(X, Y)) = if Y == 5 then null else V(X, Y + 1)
down(_) = null
board : CellOrNull -> Piece = {
  :empty; null = border; V(2, 2) = rook; V(1, 2) = pawn; V(2, 1) = pawn; V(4, 4) = pawn
}
pos : CellOrNull
graph far() {
  branch way in { left, right, up, down } {
    repeat 5 {
      pos = way[pos]
      $ on
      check(board[pos] == empty)
      branch { } or { return() }
    }
  }
}
graph near() {
  branch way in { left, right, up, down } { pos = way[pos] }
  check(board[pos] == empty)
}
graph slide() {
  pos = Cell(*)
  check(board[pos] == rook)
  $$ pos
  board[pos] = stone
  far()
  $$ pos
  board[pos] = rook
}
graph step() {
  pos = Cell(*)
  check(board[pos] == pawn)
  $$ pos
  board[pos] = empty
  near()
  $$ pos
  board[pos] = pawn
}
graph rules() {
  loop {
    if not(reachable(slide())) { goals[pawns] = 100 end() }
    player = rooks
    slide()
    player = keeper
    if not(reachable(step())) { goals[rooks] = 100 end() }
    player = pawns
    step()
    player = keeper
  }
}
";

/// The rook on a board with edges.
pub(super) fn slides() -> String {
    SLIDES.replace("BEYOND_LEFT", "null").replace("BEYOND_RIGHT", "null")
}

/// The rook on a tube, where three cells to the left are three cells to the right.
pub(super) fn slides_on_a_tube() -> String {
    SLIDES.replace("BEYOND_LEFT", "V(5, Y)").replace("BEYOND_RIGHT", "V(0, Y)")
}

/// Two cards are dealt, whose tags differ. The last turn has moves without tags, which are compared,
/// and dealing is not.
pub(super) const DEALS: &str = "
domain Player = first | second
domain Score = 0 | 1 | 2
domain Card = jack | queen | king
hand : Player -> Card = { :jack }
card : Card = jack
graph deal(to : Player) {
  player = random
  card = Card(*)
  $$ card
  hand[to] = card
}
graph pay(winner : Player, gain : Score) {
  goals[winner] = gain
  end()
}
graph showdown(gain : Score) {
  branch {
    player = keeper
  } or {
  }
  if hand[first] == king { pay(first, gain) } else { pay(second, gain) }
}
graph answer(me : Player) {
  player = me
  branch {
    $ fold
    player = keeper
  } or {
    $ call
    showdown(2)
  }
}
graph rules() {
  deal(first)
  deal(second)
  player = keeper
  player = first
  branch {
    $ bet
    answer(second)
  } or {
    $ check
    player = second
    branch {
      $ bet
      answer(first)
    } or {
      $ check
      showdown(1)
    }
  }
}
";

/// All games with their names: of dominoes, of chance, of hidden information, with passes, of three
/// players, where moves share a condition, with deals before moves that are compared, with slides
/// and with a loop.
pub(super) fn all() -> Vec<(&'static str, String)> {
    let texts = [
        ("dominoes.hrg", DOMINOES),
        ("race.hrg", RACE),
        ("cups.rg", CUPS),
        ("passes.hrg", PASSES),
        ("three.hrg", THREE),
        ("leaps.hrg", LEAPS),
        ("deals.hrg", DEALS),
        ("ring.hrg", RING),
    ];
    let made = [("slides.hrg", slides()), ("tube.hrg", slides_on_a_tube())];
    texts.map(|(name, text)| (name, text.to_owned())).into_iter().chain(made).collect()
}
