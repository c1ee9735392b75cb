"""Random shapes on a small grid, and what shapely says of them.

    python3 cases.py SEED COUNT

A line is a case: A, B, whether B's areas cover A (- where B has none), whether A and B meet, their
distance. A shape is kind:path|path, a path is x,y x,y; a path of a hole begins with h.
"""
import math
import random
import sys

import shapely
from shapely.geometry import LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon

SIZE = 12


def places(rng, count):
    return [(rng.randrange(SIZE + 1), rng.randrange(SIZE + 1)) for _ in range(count)]


def ring(rng):
    """Corners in the order of their directions from a middle: mostly simple."""
    if rng.random() < 0.3:
        x, y = places(rng, 1)[0]
        w, h = rng.randrange(1, 8), rng.randrange(1, 8)
        return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    corners = list(set(places(rng, rng.randrange(3, 9))))
    x = sum(c[0] for c in corners) / len(corners)
    y = sum(c[1] for c in corners) / len(corners)
    return sorted(corners, key=lambda c: math.atan2(c[1] - y, c[0] - x))


def polygon(rng):
    while True:
        outer = ring(rng)
        if len(outer) < 3:
            continue
        holes = [h for h in (ring(rng) for _ in range(rng.randrange(3))) if len(h) > 2]
        for rings in (holes, holes[:1], []):
            made = Polygon(outer, rings)
            if made.is_valid and made.area > 0:
                return made


def shape(rng, kind):
    if kind == "point":
        return Point(places(rng, 1)[0])
    if kind == "points":
        return MultiPoint(places(rng, rng.randrange(1, 5)))
    if kind == "line":
        return LineString(places(rng, rng.randrange(2, 6)))
    if kind == "lines":
        return MultiLineString([places(rng, rng.randrange(2, 4)) for _ in range(2)])
    if kind == "area":
        return polygon(rng)
    while True:
        made = MultiPolygon([polygon(rng) for _ in range(2)])
        if made.is_valid:
            return made


def path(coordinates, mark=""):
    return mark + " ".join("%d,%d" % (x, y) for x, y in coordinates)


def text(kind, made):
    if kind in ("point", "line"):
        return kind + ":" + path(made.coords)
    if kind in ("points", "lines"):
        # One point is its own path in a shape of several.
        if kind == "points":
            return kind + ":" + path([p.coords[0] for p in made.geoms])
        return kind + ":" + "|".join(path(part.coords) for part in made.geoms)
    parts = [made] if kind == "area" else made.geoms
    return kind + ":" + "|".join(
        "|".join([path(p.exterior.coords)] + [path(h.coords, "h") for h in p.interiors])
        for p in parts)


def main():
    rng = random.Random(int(sys.argv[1]))
    kinds = ["point", "points", "line", "lines", "area", "areas"]
    done = 0
    while done < int(sys.argv[2]):
        first, second = rng.choice(kinds), rng.choice(kinds + ["area", "areas"])
        a, b = shape(rng, first), shape(rng, second)
        if not a.is_valid or not b.is_valid:
            continue
        if second == "area" and rng.random() < 0.3:
            # A shape that fills a hole, or shares an edge.
            rings = [b.exterior] + list(b.interiors)
            chosen = Polygon(rng.choice(rings))
            if chosen.is_valid:
                first, a = "area", chosen
        covers = "%d" % b.covers(a) if second.startswith("area") else "-"
        print(text(first, a), text(second, b), covers, "%d" % a.intersects(b),
              repr(float(shapely.distance(a, b))), sep="\t")
        done += 1


main()
