#!/usr/bin/env python3
"""Makes the base maps of Natural Earth (public domain).

    make.py FOLDER PORTOLAN                 base.doc beside this file: the built-in one, 1:110m
    make.py FOLDER PORTOLAN 50m TARGET.doc  the finer one, which a package may install

FOLDER holds ne_110m_land.geojson, ne_110m_lakes.geojson and ne_110m_admin_0_countries.geojson, or
ne_50m_land.geojson, ne_50m_lakes.geojson and ne_50m_admin_0_boundary_lines_land.geojson, which may
be compressed with gzip; PORTOLAN is the built program. Layer `land`, whose holes are the lakes, lies
below layer `countries` (`borders`). Coordinates are rounded to 0.0001 degrees, which is 11 m.
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


def parts(feature):
    """The parts of a geometry, each as in a geometry of one part."""
    geometry = feature["geometry"]
    isMulti = geometry["type"].startswith("Multi")
    return geometry["coordinates"] if isMulti else [geometry["coordinates"]]


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


def land(folder, scale):
    areas = [list(area) for each in read(folder, f"ne_{scale}_land") for area in parts(each)]
    islands = []
    for lake in read(folder, f"ne_{scale}_lakes"):
        for shore, *holes in parts(lake):
            for area in areas:
                if holds(area[0], shore[0]) and not any(
                    holds(hole, shore[0]) for hole in area[1:]
                ):
                    area.append(shore)
                    break
            # The islands of a lake are land, in the direction of an outer ring.
            islands += [[hole[::-1]] for hole in holes]
    return [feature({}, "Polygon", area) for area in areas + islands]


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


def borders(folder):
    features = read(folder, "ne_50m_admin_0_boundary_lines_land")
    return [feature({}, "LineString", line) for each in features for line in parts(each)]


def feature(properties, kind, coordinates):
    geometry = {"type": kind, "coordinates": rounded(coordinates)}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def main():
    folder, portolan, *rest = sys.argv[1:]
    if rest:
        scale, target = rest
        lines = ("borders", borders(folder))
    else:
        scale, target = "110m", os.path.join(os.path.dirname(os.path.abspath(__file__)), "base.doc")
        lines = ("countries", countries(folder))
    with tempfile.TemporaryDirectory() as place:
        paths = []
        for name, features in [("land", land(folder, scale)), lines]:
            paths.append(os.path.join(place, name + ".geojson"))
            with open(paths[-1], "w") as file:
                json.dump({"type": "FeatureCollection", "features": features}, file)
        subprocess.run(
            [portolan, "import", *paths, "-o", target, "--force", "--no-versions"], check=True)
        # The bytes must not depend on the folder.
        subprocess.run([portolan, "refresh", target, "--forget", "--no-versions"], check=True)


main()
