"""`rulesrun test --coverage`: which parts of the rules the tests and random games have run.

`measuring` runs a file with marks in it; `report` tells what was met, as tables, in the margin of the source and as data; `page` makes
a page of it.
"""
