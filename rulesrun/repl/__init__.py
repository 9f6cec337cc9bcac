"""The table at the terminal: what a person sees of a running game, and how he answers.

cards    what is printed on a card
layout   lines that fit a width
scene    the places of a view, sorted into what is drawn where
table    the drawing of a scene
seats    what the players have, in rows and columns
sheets   answers that go round, as in an auction, and the score from round to round
board    the drawing of a board
choices  the options of a decision, and what a typed answer means
console  where questions are asked: a terminal or a pipe
commands what begins with a colon
past     going back to an earlier question, and forward again
reasons  why, why not, and which lines of the rules run
session  the game from the first question to the end
opening  how a game begins: with fresh cards, from a file, or where it was left
watching rules that are written anew while somebody plays
"""
