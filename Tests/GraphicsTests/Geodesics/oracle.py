#!/usr/bin/env python3
"""Random geodesic problems with the results of geographiclib (pip install geographiclib).

    python3 oracle.py 7 300 > cases.tsv      (seed and number)

A line is `inverse`, `direct` or `area`, its arguments (latitudes first, in degrees) and two
results: metres and azimuth, latitude and longitude, square metres and perimeter.
"""
import math
import random
import sys

from geographiclib.geodesic import Geodesic

WGS84 = Geodesic.WGS84
seed, count = map(int, sys.argv[1:])
random.seed(seed)
between = random.uniform


def small():
    return 10 ** between(-9, 0)


def clamped(latitude):
    return min(90.0, max(-90.0, latitude))


def anywhere():
    return math.degrees(math.asin(between(-1, 1))), between(-180, 180)


def pair(kind):
    y, x = anywhere()
    near, aside = between(-1, 1) * small(), between(-1, 1) * small()
    return [
        lambda: (y, x, *anywhere()),
        lambda: (y, x, *anywhere()),
        lambda: (y, x, -y, x + 180),  # antipodal
        lambda: (y, x, clamped(-y + near), x + 180 + aside),
        lambda: (near, x, aside, x + 180 + between(-1, 1)),
        lambda: (random.choice([-90, 90]), x, between(-90, 90), between(-180, 180)),
        lambda: (90 - small(), x, 90 - small(), between(-180, 180)),
        lambda: (y, x, between(-90, 90), x + random.choice([0, 180, -180, 360])),  # meridians
        lambda: (0, x, 0, between(-180, 180)),  # the equator
        lambda: (y, x, clamped(y + near), x + aside),  # tiny
        lambda: (y, 180 - small(), clamped(y + near), -180 + small()),
        lambda: (y, x, y, x),
        lambda: (y, x + random.choice([-720, 360]), between(-90, 90), between(-900, 900)),
    ][kind % 13]()


def circle(latitude, longitude, radius, vertices):
    ring = []
    for vertex in range(vertices):
        angle, size = vertex * 2 * math.pi / vertices, radius * between(0.5, 1)
        ring.append(
            (clamped(latitude + size * math.sin(angle)), longitude + size * math.cos(angle))
        )
    return ring


def cap(pole, size, vertices, east):
    start = between(0, 1)
    return [
        (
            pole * (90 - size * between(0.5, 1)),
            ((vertex + start) * east * 360 / vertices) % 360 - 180,
        )
        for vertex in range(vertices)
    ]


def ring(kind):
    vertices, longitude = random.randint(3, 12), between(-180, 180)
    return [
        lambda: [(between(-90, 90), longitude + between(-90, 90)) for _ in range(vertices)],
        lambda: circle(between(-85, 85), longitude, 10 ** between(-9, 1), vertices),
        lambda: [  # across the antimeridian
            (y, x % 360 - 180) for y, x in circle(between(-80, 80), 360, 10 ** between(-3, 1), vertices)
        ],
        lambda: cap(random.choice([-1, 1]), 10 ** between(-3, 1.5), 14, random.choice([-1, 1])),
        lambda: circle(  # beyond the world
            between(-50, 50), random.choice([-360, 170, 180, 360, 720]), 10 ** between(-2, 1.5), vertices
        ),
        lambda: [
            (0, longitude),
            (0, longitude + 90),
            (random.choice([90, between(-90, 90)]), longitude + 90),
            (between(-90, 90), longitude),
        ],
    ][kind % 6]()


def show(kind, arguments, first, second):
    print(kind, " ".join(map(repr, arguments)), repr(first), repr(second), sep="\t")


for number in range(count):
    kind = number // 3
    if number % 3 == 0:
        arguments = [float(f"{value:.13g}") for value in pair(kind)]
        result = WGS84.Inverse(*arguments)
        show("inverse", arguments, result["s12"], result["azi1"])
    elif number % 3 == 1:
        arguments = [
            round(clamped(between(-91, 91)), 9),
            round(between(-180, 180), 9),
            round(between(-720, 720), 9),
            round(between(-1, 1) * 10 ** between(0, 8), 3),
        ]
        result = WGS84.Direct(*arguments)
        show("direct", arguments, result["lat2"], result["lon2"])
    else:
        vertices = [(float(f"{y:.13g}"), float(f"{x:.13g}")) for y, x in ring(kind)]
        polygon = WGS84.Polygon()
        for y, x in vertices:
            polygon.AddPoint(y, x)
        _, perimeter, area = polygon.Compute(False, True)
        show("area", [value for vertex in vertices for value in vertex], abs(area), perimeter)
