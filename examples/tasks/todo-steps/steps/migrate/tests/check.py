import os
import random
import sys

from todo_program import Todo

todo = Todo(sys.argv[1])
numbers = random.Random(2025)
one, two, three = (f"thing {numbers.randrange(10**9)}" for _ in range(3))
todo.said("add", one)
old = todo.write("old.txt", f"[x] over\n\n[ ] {two}\n[ ] {one}\n[ ] {three}\n[ ] {two}\n")
assert todo.said("import", old) == "2", "only new open entries count"
assert todo.said("list") == f"1\t{one}\n2\t{two}\n3\t{three}"
assert todo.said("import", old) == "0", "a second import adds nothing"
for bad in ["[ ] fine\n[X] strange\n", "[ ] fine\n[]no\n", "[ ] fine\nplain\n"]:
    before = todo.said("list")
    assert "2" in todo.refuses("import", todo.write("bad.txt", bad)), "the message has the number of the line"
    assert todo.said("list") == before, "nothing is added"
todo.said("done", "2")
assert todo.said("import", old) == "1", "what is done may come again"
assert todo.said("add", "next") == "5"
given = os.path.join(sys.argv[1], "old.txt")
if os.path.exists(given):
    assert Todo(sys.argv[1]).said("import", given) == "2", "the file that was given"
