tic_tac_toe = '(game "Tic-Tac-Toe" (board (square 3)) (end (if (line "token" 3) (mover win))))'
