"""The cases of `oracle.py` with conditions on how features lie to others among them, as shapely and
geographiclib say it.

    python3 Tests/ExpressionsTests/oracle_places.py SEED COUNT

"layers" is {name: collection of GeoJSON}; the shapes of the table have no attributes. Shapes lie on a grid of halves, where
planar geometry is exact; steps are straight in coordinates, ways are geodesic. The way from a line
or an area to a point is found by search: ways to the places of a step have one least.
"""
from geographiclib.geodesic import Geodesic
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box, mapping

from oracle import ATOM, COMPARE, COMPARISON, ROWS, Maker, Node, main

SPANS = (-12, 12)


def grid(rng):
    return (rng.randrange(2 * SPANS[0], 2 * SPANS[1] + 1) / 2, rng.randrange(60, 121) / 2)


def area(rng):
    west, south = grid(rng)
    width, height = rng.choice([4, 8, 16]), rng.choice([4, 8, 16])
    pick = rng.random()
    if pick < 0.4:
        return box(west, south, west + width, south + height)
    if pick < 0.6:
        return Polygon([(west, south), (west + width, south), (west, south + height)])
    if pick < 0.8:
        hole = box(west + width / 4, south + height / 4, west + width / 2, south + height / 2)
        return box(west, south, west + width, south + height).difference(hole)
    return MultiPolygon([box(west, south, west + width, south + height),
                         box(west + width + 1, south, west + 2 * width, south + 2)])


def shape(rng):
    pick = rng.random()
    if pick < 0.1:
        return None
    if pick < 0.6:
        return Point(grid(rng))
    if pick < 0.8:
        places = [grid(rng)]
        while len(places) < 3:
            x, y = places[-1]
            places.append((x + rng.randrange(1, 6) / 2, y + rng.randrange(-4, 5) / 2))
        return LineString(places)
    return area(rng)


def meters(a, b):
    return Geodesic.WGS84.Inverse(a[1], a[0], b[1], b[0])["s12"]


def steps(shape):
    """The steps of lines and of the edges of areas."""
    parts = getattr(shape, "geoms", [shape])
    for part in parts:
        lines = [part.exterior, *part.interiors] if part.geom_type == "Polygon" else [part]
        for line in lines:
            places = list(line.coords)
            yield from zip(places, places[1:])


def way(shape, place):
    """Metres from a shape to a place; 0 where they meet."""
    if shape.geom_type == "Point":
        return meters((shape.x, shape.y), place)
    if shape.intersects(Point(place)):
        return 0.0
    least = None
    for a, b in steps(shape):
        def at(share):
            return meters((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])), place)
        low, high = 0.0, 1.0
        for _ in range(40):
            third = (high - low) / 3
            if at(low + third) < at(high - third):
                high -= third
            else:
                low += third
        found = min(at(low), at(0.0), at(1.0))
        least = found if least is None else min(least, found)
    return least


class PlaceMaker(Maker):
    """Makes conditions with places among the others."""

    def __init__(self, rng, columns):
        super().__init__(rng, columns)
        self.shapes = [shape(rng) for _ in range(ROWS)]
        # Each kind of layer has one shape at least.
        self.shapes[0] = Point(grid(rng))
        self.areas = [{"name": name, "rank": rng.choice([1, 2, 3, 2.5, None]), "shape": area(rng)}
                      for name in ["Alpha", "Beta", "Gamma", "It's"]]
        self.spots = [{"name": name, "rank": rng.choice([1, 2, 3, None]),
                       "shape": Point(round(rng.uniform(*SPANS), 3), round(rng.uniform(30, 60), 3))}
                      for name in ["One", "Two", "Three", "Four"]]
        self.known = {}

    def layers(self):
        """The layers as features of GeoJSON."""
        def collection(items):
            return {"type": "FeatureCollection", "features": [
                {"type": "Feature", "geometry": item["shape"] and mapping(item["shape"]),
                 "properties": {key: item[key] for key in item if key != "shape"}}
                for item in items]}
        return {"areas": collection(self.areas), "spots": collection(self.spots),
                "table": collection([{"shape": shape} for shape in self.shapes])}

    def atom(self):
        return self.place() if self.rng.random() < 0.9 else super().atom()

    def condition(self, depth):
        return self.place() if self.rng.random() < 0.4 else super().condition(depth)

    def others(self):
        """A layer, or one feature by its name: its text, and the features."""
        rng = self.rng
        if rng.random() < 0.3:
            item = rng.choice(self.areas)
            return "'%s'" % item["name"].replace("'", "''"), [item]
        name, items = rng.choice([("areas", self.areas), ('"areas"', self.areas)])
        return name, items

    def found(self, word, row, items):
        own = self.shapes[row]
        holds = {"within": lambda other: other.covers(own),
                 "intersects": lambda other: other.intersects(own)}[word]
        return [item for item in items if holds(item["shape"])]

    def ways(self, row, items):
        """The features and the ways to them, the nearest first."""
        key = row, tuple(item["name"] for item in items)
        if key not in self.known:
            place = [(way(self.shapes[row], (item["shape"].x, item["shape"].y)), number)
                     for number, item in enumerate(items)]
            self.known[key] = [(meters, items[number]) for meters, number in sorted(place)]
        return self.known[key]

    def place(self):
        rng = self.rng
        word = rng.choice(["within", "intersects", "distance"])
        if word == "distance":
            return self.distance()
        text, items = self.others()
        if rng.random() < 0.2:
            # The layer itself: each feature leaves itself out.
            text, items = "table", None
            word = "intersects"
        call = "%s(%s)" % (word, text)

        def first(row):
            if items is None:
                return [other for number, other in enumerate(self.shapes)
                        if number != row and other is not None
                        and other.intersects(self.shapes[row])]
            return self.found(word, row, items)
        if items is None or rng.random() < 0.5:
            return Node(ATOM, call,
                        lambda row: None if self.shapes[row] is None else bool(first(row)))
        return self.asked(call, lambda row: self.shapes[row] and next(iter(first(row)), None))

    def asked(self, call, found):
        """A condition on an attribute of the feature that is found."""
        rng = self.rng
        member = rng.choice(["name", "rank"])
        if rng.random() < 0.3:
            isnt = rng.random() < 0.5
            return Node(COMPARISON, "%s.%s is %snull" % (call, member, "not " if isnt else ""),
                        lambda row: isnt == bool(found(row) and found(row)[member] is not None))
        sign = rng.choice(list(COMPARE))
        value = rng.choice(["Alpha", "Gamma", "It's", "One", "Two"]) if member == "name" else \
            rng.choice([1, 2, 2.5])
        shown = "'%s'" % value.replace("'", "''") if member == "name" else repr(value)

        def run(row):
            item = found(row)
            if not item or item[member] is None:
                return None
            mine = item[member]
            return COMPARE[sign](-1 if mine < value else 1 if mine > value else 0)
        return Node(COMPARISON, "%s.%s %s %s" % (call, member, sign, shown), run)

    def distance(self):
        rng = self.rng
        pick = rng.random()
        if pick < 0.4:
            text, items = "spots", self.spots
        elif pick < 0.7:
            item = rng.choice(self.spots)
            text, items = "'%s'" % item["name"], [item]
        else:
            x, y = grid(rng)
            text, items = "%r, %r" % (x, y), [{"name": "%r %r" % (x, y), "shape": Point(x, y)}]
        call = "distance(%s)" % text
        if pick < 0.7 and rng.random() < 0.4:
            return self.asked(
                call, lambda row: self.shapes[row] and self.ways(row, items)[0][1])
        low = rng.randrange(0, 3_000_000)
        high = low + rng.randrange(0, 2_000_000)
        if rng.random() < 0.3:
            def between(row):
                if self.shapes[row] is None:
                    return None
                return low <= self.ways(row, items)[0][0] <= high
            return Node(COMPARISON, "%s between %d and %d" % (call, low, high), between)
        sign = rng.choice(["<", "<=", ">", ">="])

        def run(row):
            if self.shapes[row] is None:
                return None
            way = self.ways(row, items)[0][0]
            return COMPARE[sign](-1 if way < low else 1 if way > low else 0)
        return Node(COMPARISON, "%s %s %d" % (call, sign, low), run)


if __name__ == "__main__":
    main(PlaceMaker)
