#!/usr/bin/env python3
"""Makes base.doc, the built-in base map, of Natural Earth 1:110m (public domain).

    make.py FOLDER PORTOLAN

FOLDER holds ne_110m_land.geojson, ne_110m_lakes.geojson and ne_110m_admin_0_countries.geojson, which
may be compressed with gzip; PORTOLAN is the built program. Layer `land`, whose holes are the lakes,
lies below layer `countries`. Coordinates are rounded to 0.0001 degrees, which is 11 m.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile


def read(folder, name):
    path = os.path.join(folder, name + ".geojson")
    opener = open if os.path.exists(path) else lambda path: gzip.open(path + ".gz", "rt")
    with opener(path) as file:
        return json.load(file)["features"]


def rounded(numbers):
    if isinstance(numbers[0], (int, float)):
        return [round(numbers[0], 4), round(numbers[1], 4)]
    return [rounded(each) for each in numbers]


def holds(ring, place):
    """Whether a place lies in a ring, by the even-odd rule."""
    x, y = place
    inside = False
    for (ax, ay), (bx, by) in zip(ring, ring[1:]):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def land(folder):
    areas = [feature["geometry"]["coordinates"] for feature in read(folder, "ne_110m_land")]
    for lake in read(folder, "ne_110m_lakes"):
        shore = lake["geometry"]["coordinates"][0]
        for area in areas:
            if holds(area[0], shore[0]) and not any(holds(hole, shore[0]) for hole in area[1:]):
                area.append(shore)
                break
    return [feature({}, "Polygon", area) for area in areas]


def countries(folder):
    features = read(folder, "ne_110m_admin_0_countries")
    names = [("name", "NAME"), ("iso_a3", "ISO_A3_EH"), ("continent", "CONTINENT")]
    return [
        feature(
            {new: each["properties"][old] for new, old in names},
            each["geometry"]["type"],
            each["geometry"]["coordinates"],
        )
        for each in sorted(features, key=lambda each: each["properties"]["NAME"])
    ]


def feature(properties, kind, coordinates):
    geometry = {"type": kind, "coordinates": rounded(coordinates)}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def main():
    folder, portolan = sys.argv[1:]
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "base.doc")
    with tempfile.TemporaryDirectory() as place:
        paths = []
        for name, features in [("land", land(folder)), ("countries", countries(folder))]:
            paths.append(os.path.join(place, name + ".geojson"))
            with open(paths[-1], "w") as file:
                json.dump({"type": "FeatureCollection", "features": features}, file)
        subprocess.run(
            [portolan, "import", *paths, "-o", target, "--force", "--no-versions"], check=True)


main()
