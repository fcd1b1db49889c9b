type Player = { white, black };
type Score = { 50, 0, 100 };
type Piece = { empty, white, black };
type Cell = { c1, c2 };
var board: Cell -> Piece = { :empty };
var at: Cell = c1;
begin, more: player = white;
more, rest: @;
rest, end: player = keeper;
