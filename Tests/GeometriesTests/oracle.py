"""Places around random positions as geographiclib finds them.

    oracle.py SEED COUNT

A line each: longitude and latitude of a centre, a distance in metres, and four positions, two at
995 and two at 1005 thousandths of the distance, with tabs between.
"""
import random
import sys

from geographiclib.geodesic import Geodesic

seed, count = int(sys.argv[1]), int(sys.argv[2])
choice = random.Random(seed)
for number in range(count):
    latitude = [
        choice.uniform(-90, 90), choice.choice([-1, 1]) * choice.uniform(69, 71),
        choice.choice([-1, 1]) * (90 - 10 ** choice.uniform(-4, 0.5)),
    ][number % 3]
    longitude = choice.choice([choice.uniform(-180, 180), 180 - 10 ** choice.uniform(-5, 0)])
    distance = 10 ** choice.uniform(1, 6.3)
    cells = [longitude, latitude, distance]
    for share in [0.995, 0.995, 1.005, 1.005]:
        end = Geodesic.WGS84.Direct(latitude, longitude, choice.uniform(-180, 180), share * distance)
        cells += [end["lon2"], end["lat2"]]
    print("\t".join(repr(cell) for cell in cells))
