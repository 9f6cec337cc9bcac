"""The table at the terminal: what a person sees of a running game, and how he answers.

cards    what is printed on a card
layout   lines that fit a width
scene    the places of a view, sorted into what is drawn where
table    the drawing of a scene
board    the drawing of a board
choices  the options of a decision, and what a typed answer means
console  where questions are asked: a terminal or a pipe
commands what begins with a colon
session  the game from the first question to the end
"""
