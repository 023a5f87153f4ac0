"""Questions about boards, as in ChildPlay: tic-tac-toe, connect four, shapes."""

FAMILIES = {
    "board_games": "Positions of tic-tac-toe and connect four: who has won, legal and best moves",
    "board_shapes": "Which shape is drawn on a grid: a square, a triangle or a cross",
}
