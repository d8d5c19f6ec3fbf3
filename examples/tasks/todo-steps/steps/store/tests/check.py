import json
import random
import sys

from todo_program import Todo

todo = Todo(sys.argv[1])
numbers = random.Random(2025)
words = [f"thing {numbers.randrange(10**9)}" for _ in range(4)] + ['quotes " and \\ and \t tab', "Äpfel 🍏"]
assert todo.said("list") == "", "a new list is empty"
for number, text in enumerate(words, 1):
    assert todo.said("add", text) == str(number)
assert todo.said("list").split("\n") == [f"{number}\t{text}" for number, text in enumerate(words, 1)]
todo.said("done", "6")
todo.said("done", "2")
assert todo.said("add", "again") == "7", "numbers are never given twice"
open_now = [1, 3, 4, 5, 7]
assert [int(line.split("\t")[0]) for line in todo.said("list").split("\n")] == open_now
for number in ["2", "99", "0", "x"]:
    before = open(todo.file).read()
    todo.refuses("done", number)
    assert open(todo.file).read() == before, f"done {number} must change nothing"
json.load(open(todo.file))
