"""`rulesrun mutate`: change the rules in one place at a time, and see whether the tests notice.

`bench` runs tests and random games on mutants; `listed` reads which of them are known to change nothing; `report` tells what survived.
"""
