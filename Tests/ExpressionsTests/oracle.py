"""Random expressions over random tables, with the values that Python gives them.

    python3 Tests/ExpressionsTests/oracle.py SEED COUNT > cases.json

Prints {"columns": {name: [value…]}, "cases": [{"text": …, "values": […]}], "layers": {}}. A value
is null, true, false, {"i": "12"}, {"r": "0.5"} or {"t": "text"}. The logic has three values; whole
numbers are Python's own, so they are exact, and sums are made of fractions and rounded once.
Brackets stand where the grammar needs them, and now and then elsewhere.
"""
import json
import random
import re
import sys

# The folder of a test stays as it is.
sys.dont_write_bytecode = True

from oracle_values import (COMPARE, arithmetic, both, date_of, extreme, figure, floor, is_number,
                           kind_of, like, number_of, opposite, order, rounded, split, text_of)

ROWS = 12
WORDS = ["", "a", "b", "ab", "Aa", "å", "ß", "z😀", "7", "SE", "x,y", "it's", "%_", "ä b",
         " 12 ", "-3.5", "a,b,,a", "1e3", "İ", "Σς"]
DATES = ["2024-05-01", "2024/02/29", "2023-02-29", "2024-05-01T08:00:00Z", "1999-12-31 23:30-05",
         "2024-05-01T08:00:00+02:00", "2024-05-01t00:15+0130", "2024-06-30T23:59:60Z",
         "2024-03-01T12:30:15.2500Z", "2024-03-01T12:30:15,125+00:30", "2024-13-01", "2024-05",
         " 2024-05-01 ", "1900-02-29", "2000-02-29T00:00", "2024-05-01T24:00Z", "soon"]


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
        return rng.choice(DATES if choice == "date" else WORDS)
    return [value() for _ in range(ROWS)]


OR, AND, NOT, COMPARISON, SUM, PRODUCT, UNARY, ATOM = range(8)


class Node:
    """A text, how closely its parts hold together, and its value for each row."""

    def __init__(self, level, text, run):
        self.level, self.text = level, text
        known = {}

        def value(row):
            if row not in known:
                known[row] = run(row)
            return known[row]
        self.run = value


class Maker:
    """Makes nodes over columns."""

    def __init__(self, rng, columns):
        self.rng, self.columns = rng, columns

    def layers(self):
        """The features of all layers, where conditions ask for places."""
        return {}

    def fit(self, node, level):
        """The text of an operand, in brackets where its level asks for them."""
        if node.level < level or self.rng.random() < 0.1:
            return "(%s)" % node.text
        return node.text

    def call(self, name, nodes, run):
        """A function of values, null where one of them is; each with its type."""
        if self.rng.random() < 0.1:
            name = name.upper()
        def value(row):
            values = [node.run(row) for node, _ in nodes]
            if any(x is None or kind and kind_of(x) != kind for x, (_, kind) in zip(values, nodes)):
                return None
            return run(*values)
        text = self.rng.choice(["%s(%s)", "%s( %s )"])
        return Node(ATOM, text % (name, ", ".join(node.text for node, _ in nodes)), value)

    def name(self, *kinds):
        name = self.rng.choice([name for name in self.columns if name.split("_")[0] in kinds])
        shown = name if self.rng.random() < 0.8 else '"%s"' % name
        return Node(ATOM, shown, lambda row: self.columns[name][row])

    def literal(self, value):
        shown = "'%s'" % value.replace("'", "''") if isinstance(value, str) else \
            {None: "null", True: "true", False: "false"}[value] \
            if value is None or isinstance(value, bool) else repr(value)
        return Node(ATOM, shown, lambda row: value)

    def null_or(self, node):
        return self.literal(None) if self.rng.random() < 0.05 else node

    def choice(self, make, depth):
        """What any type has: if, coalesce, the least and the greatest."""
        rng = self.rng
        pick = rng.random()
        if pick < 0.4:
            c, a, b = self.condition(depth), self.null_or(make(depth)), make(depth)
            return Node(ATOM, "if(%s, %s, %s)" % (c.text, a.text, b.text),
                        lambda row: (a if c.run(row) is True else b).run(row))
        nodes = [make(depth) for _ in range(rng.randrange(2, 4))]
        listed = ", ".join(node.text for node in nodes)
        if pick < 0.7:
            return Node(ATOM, "coalesce(%s)" % listed, lambda row: next(
                (node.run(row) for node in nodes if node.run(row) is not None), None))
        word = rng.choice(["min", "max"])
        return Node(ATOM, "%s(%s)" % (word, listed),
                    lambda row: extreme([node.run(row) for node in nodes], word == "min"))

    def aggregate(self, kind, depth):
        """A figure of all rows, or of those with the same values."""
        rng = self.rng
        names = rng.sample(list(self.columns), rng.choice([0, 0, 1, 1, 2]))
        if kind == "count" and rng.random() < 0.4:
            text, run = "", lambda row: True
        else:
            make = self.number if kind != "count" else rng.choice([self.number, self.text])
            node = make(min(depth, 1))
            text, run = node.text, node.run
        behind = (" by " if text else "by ") + ", ".join(names) if names else ""

        def key(row):
            values = [self.columns[name][row] for name in names]
            return [None if value is None else (kind_of(value), value) for value in values]

        def value(row):
            rows = [other for other in range(ROWS) if key(other) == key(row)]
            return figure(kind, [run(other) for other in rows])
        return Node(ATOM, "%s(%s%s)" % (kind, text, behind), value)

    def number(self, depth):
        rng = self.rng
        pick = rng.random()
        if depth <= 0 or pick < 0.3:
            if rng.random() < 0.6:
                return self.name("whole", "real", "mixed")
            return self.literal(
                rng.choice([0, 1, 2, 3, 7, 9007199254740993, 10**20, 0.5, 2.25, 1e3]))
        if pick < 0.58:
            sign = rng.choice("+-*/%")
            a, b = self.number(depth - 1), self.number(depth - 1)
            level = SUM if sign in "+-" else PRODUCT
            space = rng.choice([" ", " ", ""])
            return Node(level, self.fit(a, level) + space + sign + space + self.fit(b, level + 1),
                        lambda row: arithmetic(sign, a.run(row), b.run(row)))
        if pick < 0.63:
            a = self.number(depth - 1)
            # Two signs at the beginning would be an option of a command.
            operand = self.fit(a, UNARY)
            return Node(UNARY, ("- " if operand.startswith("-") else "-") + operand,
                        lambda row: -a.run(row) if is_number(a.run(row)) else None)
        if pick < 0.72:
            name, run = rng.choice([("abs", abs), ("floor", floor), ("round", rounded)])
            return self.call(name, [(self.number(depth - 1), "number")], run)
        if pick < 0.76:
            places = self.literal(rng.choice([-3, -2, -1, 0, 1, 2, 5]))
            return self.call(
                "round", [(self.number(depth - 1), "number"), (places, "number")], rounded)
        if pick < 0.80:
            return self.call("len", [(self.text(depth - 1), "text")], len)
        if pick < 0.84:
            make = rng.choice([self.number, self.text, self.condition])
            return self.call("number", [(make(depth - 1), None)], number_of)
        if pick < 0.92:
            return self.aggregate(
                rng.choice(["count", "sum", "mean", "median", "min", "max"]), depth - 1) \
                if depth > 1 and rng.random() < 0.5 else self.figure_of_numbers(depth - 1)
        return self.choice(self.number, depth - 1)

    def figure_of_numbers(self, depth):
        return self.aggregate(self.rng.choice(["count", "sum", "mean", "median"]), depth)

    def text(self, depth):
        rng = self.rng
        pick = rng.random()
        if depth <= 0 or pick < 0.4:
            if rng.random() < 0.6:
                return self.name("text", "mixed", "date")
            return self.literal(rng.choice(WORDS + DATES[:6]))
        if pick < 0.55:
            a, b = self.text(depth - 1), self.text(depth - 1)
            return Node(SUM, self.fit(a, SUM) + " + " + self.fit(b, PRODUCT),
                        lambda row: arithmetic("+", a.run(row), b.run(row)))
        if pick < 0.67:
            name, run = rng.choice(
                [("upper", str.upper), ("lower", str.lower), ("trim", str.strip)])
            return self.call(name, [(self.text(depth - 1), "text")], run)
        if pick < 0.73:
            make = rng.choice([self.number, self.text, self.condition])
            return self.call("text", [(make(depth - 1), None)], text_of)
        if pick < 0.79:
            return self.call("date", [(rng.choice([self.text(0), self.name("date")]), "text")],
                             date_of)
        if pick < 0.85:
            parts = [self.text(depth - 1), self.text(0), self.text(0)]
            return self.call("replace", [(part, "text") for part in parts],
                             lambda t, a, b: t.replace(a, b) if a else t)
        if pick < 0.91:
            mark = self.literal(rng.choice([",", "a", "", " "]))
            place = self.literal(rng.choice([1, 2, 3, 1.0, 0, 1.5])) if rng.random() < 0.8 else \
                Node(UNARY, "-1", lambda row: -1)
            return self.call("split", [(self.text(depth - 1), "text"), (mark, "text"),
                                       (place, "number")], split)
        return self.choice(self.text, depth - 1)

    def operands(self, depth):
        """Two of one type."""
        make = self.rng.choice([self.number, self.text])
        return make(depth), make(depth)

    def pattern(self):
        """A pattern that Python reads as we do."""
        rng = self.rng
        made = rng.choice(["", "", "", "(?i)"]) + rng.choice(["", "", "^"])
        for _ in range(rng.randrange(1, 5)):
            made += rng.choice(["a", "b", "å", "7", ",", ".", "[ab]", "[^a]", "[a-z0-9]", r"\d",
                                r"\s", "(a|b)", "(?:ab|)", r"\.", "'"])
            made += rng.choice(["", "", "", "*", "+", "?", "{2}", "{1,2}", "+?"])
        return made + rng.choice(["", "", "$"])

    def atom(self):
        """A condition without parts."""
        if self.rng.random() < 0.8:
            return self.name("truth")
        return self.literal(self.rng.choice([True, False, None]))

    def junction(self, level, depth):
        words, run = {
            AND: (["and", "&&", "AND"], both),
            OR: (["or", "||", "Or"], lambda a, b: opposite(both(opposite(a), opposite(b)))),
        }[level]
        nodes = [self.condition(depth) for _ in range(self.rng.randrange(2, 4))]
        text = self.fit(nodes[0], level)
        for node in nodes[1:]:
            text += " %s %s" % (self.rng.choice(words), self.fit(node, level))
        def value(row):
            found = nodes[0].run(row)
            for node in nodes[1:]:
                found = run(found, node.run(row))
            return found
        return Node(level, text, value)

    def condition(self, depth):
        rng = self.rng
        pick = rng.random()
        if pick < 0.08:
            return self.atom()
        if depth <= 0 or pick < 0.28:
            a, b = self.operands(depth - 1)
            sign = rng.choice(list(COMPARE))
            if depth > 0 and rng.random() < 0.1:
                a, b, sign = self.condition(depth - 1), self.condition(depth - 1), "!="
                if "null" in (a.text, b.text):
                    return self.atom()
            def run(row):
                found = order(a.run(row), b.run(row))
                return None if found is None else COMPARE[sign](found)
            return Node(COMPARISON, "%s %s %s" % (self.fit(a, SUM), sign, self.fit(b, SUM)), run)
        if pick < 0.43:
            return self.junction(AND, depth - 1)
        if pick < 0.56:
            return self.junction(OR, depth - 1)
        if pick < 0.64:
            a = self.condition(depth - 1)
            return Node(NOT, rng.choice(["not ", "! ", "NOT "]) + self.fit(a, NOT),
                        lambda row: opposite(a.run(row)))
        if pick < 0.71:
            a = rng.choice([self.number, self.text, self.condition])(depth - 1)
            isnt = rng.random() < 0.5
            return Node(COMPARISON, "%s is %snull" % (self.fit(a, SUM), "not " if isnt else ""),
                        lambda row: (a.run(row) is not None) == isnt)
        isnt = rng.random() < 0.3
        behind = "not " if isnt else ""
        make = rng.choice([self.number, self.text])
        if pick < 0.79:
            a, b, c = make(depth - 1), make(depth - 1), make(depth - 1)
            def run(row):
                low, high = order(a.run(row), b.run(row)), order(a.run(row), c.run(row))
                found = both(None if low is None else low >= 0, None if high is None else high <= 0)
                return opposite(found) if isnt else found
            return Node(COMPARISON, "%s %sbetween %s and %s" % (
                self.fit(a, SUM), behind, self.fit(b, SUM), self.fit(c, SUM)), run)
        if pick < 0.87:
            nodes = [self.null_or(make(1)) for _ in range(rng.randrange(1, 5))]
            a = make(depth - 1)
            def run(row):
                value = a.run(row)
                if value is None:
                    return None
                others = [node.run(row) for node in nodes]
                same = [x for x in others if x is not None and kind_of(x) == kind_of(value)]
                found = True if value in same else \
                    None if None in others or not same else False
                return opposite(found) if isnt else found
            return Node(COMPARISON, "%s %sin (%s)" % (
                self.fit(a, SUM), behind, ", ".join(node.text for node in nodes)), run)
        a = self.text(depth - 1)
        if pick < 0.93:
            word = rng.choice(["like", "ilike"])
            pattern = "".join(rng.choice(["%", "_", "a", "b", "A", "å", "7", "\\", "'"])
                              for _ in range(rng.randrange(0, 5)))
            fits = lambda text: like(text, pattern, word == "ilike")
        else:
            word, pattern = "matches", self.pattern()
            found = re.compile(pattern)
            fits = lambda text: found.search(text) is not None
        def run(row):
            value = a.run(row)
            if not isinstance(value, str):
                return None
            return fits(value) != isnt
        return Node(COMPARISON, "%s %s%s '%s'" % (
            self.fit(a, SUM), behind, word, pattern.replace("'", "''")), run)


def tagged(value):
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {"i": str(value)}
    if isinstance(value, float):
        return {"r": repr(value)}
    return {"t": value}


def main(kind_of_maker=Maker):
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    columns = {}
    for kind in ["whole", "real", "text", "truth", "mixed", "date"]:
        for number in range(2):
            columns["%s_%d" % (kind, number)] = column(rng, kind)
    # Every column of several types has each of them.
    for name in columns:
        if name.startswith("mixed"):
            columns[name][:5] = [1, "a", 0.5, True, None]
        elif all(value is None for value in columns[name]):
            columns[name][0] = {"whole": 1, "real": 0.5, "truth": True}.get(name[:-2], "a")
    maker = kind_of_maker(rng, columns)
    cases = []
    while len(cases) < count:
        make = rng.choice([maker.condition, maker.condition, maker.number, maker.text])
        node = make(rng.randrange(0, 5))
        try:
            cases.append({"text": node.text,
                          "values": [tagged(node.run(row)) for row in range(ROWS)]})
        except (OverflowError, ArithmeticError):
            continue
    shown = {name: [tagged(value) for value in values] for name, values in columns.items()}
    json.dump({"columns": shown, "cases": cases, "layers": maker.layers()}, sys.stdout,
              ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
