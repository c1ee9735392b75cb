"""Random expressions over random tables, with the values that Python gives them.

    python3 Tests/ExpressionsTests/oracle.py SEED COUNT > cases.json

Prints {"columns": {name: [value…]}, "cases": [{"text": …, "values": […]}]}. A value is null,
true, false, {"i": "12"}, {"r": "0.5"} or {"t": "text"}. The logic has three values; whole numbers
are Python's own, so they are exact.
"""
import json
import math
import random
import re
import sys

ROWS = 12
WORDS = ["", "a", "b", "ab", "Aa", "å", "ß", "z😀", "7", "SE", "x,y", "it's", "%_", "ä b"]


class Mismatch(Exception):
    pass


def column(rng, kind):
    def value():
        if rng.random() < 0.2:
            return None
        choice = kind if kind != "mixed" else rng.choice(["whole", "text", "real", "truth"])
        if choice == "whole":
            return rng.choice([0, 1, -1, 2, 3, 7, -12, 1000, 9007199254740992, 9007199254740993,
                               -9007199254740993, 2**63, 10**18, rng.randrange(-50, 50)])
        if choice == "real":
            return rng.choice([0.5, -0.25, 1.0, 2.5, 1e-9, 9007199254740992.0, 1.5e300,
                               rng.randrange(-500, 500) / 8, rng.random()])
        if choice == "truth":
            return rng.random() < 0.5
        return rng.choice(WORDS)
    return [value() for _ in range(ROWS)]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def kind_of(value):
    return "truth" if isinstance(value, bool) else "number" if is_number(value) else "text"


def order(left, right):
    """-1, 0, 1; None where null or another type is compared."""
    if left is None or right is None or kind_of(left) != kind_of(right):
        return None
    return (left > right) - (left < right)


COMPARE = {"==": lambda o: o == 0, "=": lambda o: o == 0, "!=": lambda o: o != 0,
           "<>": lambda o: o != 0, "<": lambda o: o < 0, "<=": lambda o: o <= 0,
           ">": lambda o: o > 0, ">=": lambda o: o >= 0}


def truth(value):
    return value if isinstance(value, bool) else None


def finite(value):
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and not -2**127 <= value < 2**127:
        raise OverflowError
    return value


def arithmetic(sign, left, right):
    if isinstance(left, str) and isinstance(right, str) and sign == "+":
        return left + right
    if not is_number(left) or not is_number(right):
        return None
    if sign == "+":
        return finite(left + right)
    if sign == "-":
        return finite(left - right)
    if sign == "*":
        return finite(left * right)
    if right == 0:
        return None
    if isinstance(left, int) and isinstance(right, int):
        if sign == "%":
            return int(math.copysign(1, left)) * (abs(left) % abs(right))
        return left // right if left % right == 0 else left / right
    return finite(math.fmod(left, right) if sign == "%" else left / right)


def like(text, pattern, ignores_case):
    if ignores_case:
        text, pattern = text.lower(), pattern.lower()
    made, escaped = "", False
    for letter in pattern:
        if escaped:
            made, escaped = made + re.escape(letter), False
        elif letter == "\\":
            escaped = True
        else:
            made += ".*" if letter == "%" else "." if letter == "_" else re.escape(letter)
    if escaped:
        made += r"\\"
    return re.fullmatch(made, text, re.DOTALL) is not None


class Maker:
    """Makes nodes: a text and a function of a row."""

    def __init__(self, rng, columns):
        self.rng, self.columns = rng, columns

    def name(self, *kinds):
        name = self.rng.choice([name for name in self.columns if name.split("_")[0] in kinds])
        shown = name if self.rng.random() < 0.8 else '"%s"' % name
        return shown, lambda row: self.columns[name][row]

    def number(self, depth):
        rng = self.rng
        pick = rng.random()
        if depth <= 0 or pick < 0.35:
            if rng.random() < 0.6:
                return self.name("whole", "real", "mixed")
            value = rng.choice([0, 1, 2, 3, 7, 9007199254740993, 10**20, 0.5, 2.25, 1e3])
            return repr(value), lambda row: value
        if pick < 0.7:
            sign = rng.choice("+-*/%")
            (a, f), (b, g) = self.number(depth - 1), self.number(depth - 1)
            def run(row):
                left, right = f(row), g(row)
                if isinstance(left, str) or isinstance(right, str):
                    # + joins texts of columns of several types.
                    return arithmetic(sign, left, right)
                return arithmetic(sign, left, right)
            return "(%s %s %s)" % (a, sign, b), run
        if pick < 0.76:
            a, f = self.number(depth - 1)
            return "-(%s)" % a, lambda row: -f(row) if is_number(f(row)) else None
        if pick < 0.82:
            a, f = self.number(depth - 1)
            return "abs(%s)" % a, lambda row: abs(f(row)) if is_number(f(row)) else None
        if pick < 0.88:
            a, f = self.text(depth - 1)
            return "len(%s)" % a, lambda row: len(f(row)) if isinstance(f(row), str) else None
        if pick < 0.94:
            c, h = self.condition(depth - 1)
            (a, f), (b, g) = self.number(depth - 1), self.number(depth - 1)
            return "if(%s, %s, %s)" % (c, a, b), lambda row: f(row) if h(row) is True else g(row)
        (a, f), (b, g) = self.number(depth - 1), self.number(depth - 1)
        return "coalesce(%s, %s)" % (a, b), lambda row: f(row) if f(row) is not None else g(row)

    def text(self, depth):
        rng = self.rng
        pick = rng.random()
        if depth <= 0 or pick < 0.5:
            if rng.random() < 0.6:
                return self.name("text", "mixed")
            value = rng.choice(WORDS)
            return "'%s'" % value.replace("'", "''"), lambda row: value
        (a, f), (b, g) = self.text(depth - 1), self.text(depth - 1)
        if pick < 0.7:
            return "(%s + %s)" % (a, b), lambda row: arithmetic("+", f(row), g(row))
        if pick < 0.9:
            name = rng.choice(["upper", "lower", "trim"])
            def run(row):
                value = f(row)
                if not isinstance(value, str):
                    return None
                return {"upper": value.upper, "lower": value.lower, "trim": value.strip}[name]()
            return "%s(%s)" % (name, a), run
        return "coalesce(%s, %s)" % (a, b), lambda row: f(row) if f(row) is not None else g(row)

    def operand(self, depth):
        """Two of one type."""
        make = self.rng.choice([self.number, self.text])
        return make(depth), make(depth)

    def condition(self, depth):
        rng = self.rng
        pick = rng.random()
        if depth <= 0 or pick < 0.3:
            (a, f), (b, g) = self.operand(depth - 1)
            sign = rng.choice(list(COMPARE))
            def run(row):
                found = order(f(row), g(row))
                return None if found is None else COMPARE[sign](found)
            return "%s %s %s" % (a, sign, b), run
        if pick < 0.45:
            (a, f), (b, g) = self.condition(depth - 1), self.condition(depth - 1)
            word = rng.choice(["and", "&&", "AND"])
            def run(row):
                left, right = f(row), g(row)
                if left is False or right is False:
                    return False
                return None if left is None or right is None else True
            return "(%s) %s (%s)" % (a, word, b), run
        if pick < 0.6:
            (a, f), (b, g) = self.condition(depth - 1), self.condition(depth - 1)
            word = rng.choice(["or", "||", "Or"])
            def run(row):
                left, right = f(row), g(row)
                if left is True or right is True:
                    return True
                return None if left is None or right is None else False
            return "(%s) %s (%s)" % (a, word, b), run
        if pick < 0.68:
            a, f = self.condition(depth - 1)
            def run(row):
                value = f(row)
                return None if value is None else not value
            return "%s (%s)" % (rng.choice(["not", "!"]), a), run
        if pick < 0.76:
            make = rng.choice([self.number, self.text, self.condition])
            a, f = make(depth - 1)
            isnt = rng.random() < 0.5
            return "(%s) is %snull" % (a, "not " if isnt else ""), \
                lambda row: (f(row) is not None) == isnt
        if pick < 0.84:
            make = rng.choice([self.number, self.text])
            (a, f), (b, g), (c, h) = make(depth - 1), make(depth - 1), make(depth - 1)
            isnt = rng.random() < 0.3
            def run(row):
                low, high = order(f(row), g(row)), order(f(row), h(row))
                left = None if low is None else low >= 0
                right = None if high is None else high <= 0
                found = False if left is False or right is False else \
                    None if left is None or right is None else True
                return found if not isnt or found is None else not found
            return "%s %sbetween %s and %s" % (a, "not " if isnt else "", b, c), run
        if pick < 0.92:
            make = rng.choice([self.number, self.text])
            nodes = [make(1) for _ in range(rng.randrange(1, 5))]
            a, f = make(depth - 1)
            def run(row):
                value = f(row)
                if value is None:
                    return None
                others = [g(row) for _, g in nodes]
                same = [x for x in others if x is not None and kind_of(x) == kind_of(value)]
                if value in same:
                    return True
                if None in others or not same:
                    return None
                return False
            return "%s in (%s)" % (a, ", ".join(b for b, _ in nodes)), run
        word = rng.choice(["like", "ilike"])
        a, f = self.text(depth - 1)
        pattern = "".join(rng.choice(["%", "_", "a", "b", "A", "å", "7", "\\", "'"])
                          for _ in range(rng.randrange(0, 5)))
        def run(row):
            value = f(row)
            return like(value, pattern, word == "ilike") if isinstance(value, str) else None
        return "%s %s '%s'" % (a, word, pattern.replace("'", "''")), run


def tagged(value):
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {"i": str(value)}
    if isinstance(value, float):
        return {"r": repr(value)}
    return {"t": value}


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    columns = {}
    for kind in ["whole", "real", "text", "truth", "mixed"]:
        for number in range(2):
            columns["%s_%d" % (kind, number)] = column(rng, kind)
    # Every column of several types has each of them.
    for name in columns:
        if name.startswith("mixed"):
            columns[name][:5] = [1, "a", 0.5, True, None]
        elif all(value is None for value in columns[name]):
            columns[name][0] = {"whole": 1, "real": 0.5, "text": "a", "truth": True}[name[:-2]]
    cases = []
    while len(cases) < count:
        maker = Maker(rng, columns)
        make = rng.choice([maker.condition, maker.condition, maker.number, maker.text])
        text, run = make(rng.randrange(0, 5))
        try:
            cases.append({"text": text, "values": [tagged(run(row)) for row in range(ROWS)]})
        except (OverflowError, ArithmeticError):
            continue
    shown = {name: [tagged(value) for value in values] for name, values in columns.items()}
    json.dump({"columns": shown, "cases": cases}, sys.stdout, ensure_ascii=False)
    print()


main()
