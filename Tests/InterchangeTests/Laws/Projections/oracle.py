"""Random places in random coordinate systems as pyproj converts them.

    oracle.py SEED COUNT

A line each: source, target, x, y, x and y in the target, and a millimetre in units of the target
along both axes, with tabs between. Source and target are of one datum: which way leads from one
datum to another depends on the version of PROJ's database.
"""
import math
import random
import sys
import warnings

import pyproj
from pyproj.database import query_crs_info
from pyproj.enums import PJType

warnings.filterwarnings("ignore")
seed, count = int(sys.argv[1]), int(sys.argv[2])
choice = random.Random(seed)
infos = [
    info
    for info in query_crs_info("EPSG", PJType.PROJECTED_CRS)
    if info.area_of_use and not info.deprecated and int(info.code) < 32768
]
# A third are those that Portolan converts by itself.
own = [3857] + [32600 + z for z in range(1, 61)] + [32700 + z for z in range(1, 61)]
own += [25800 + z for z in range(28, 39)] + [8857] * 40
known = {int(info.code): info for info in query_crs_info("EPSG", PJType.PROJECTED_CRS)}
own = [code for code in own if code in known]


def millimetre(crs, latitude):
    size = crs.axis_info[0].unit_conversion_factor
    if crs.is_geographic:
        one = 0.001 / 6371000 / size
        return one / max(0.05, math.cos(math.radians(latitude))), one
    return 0.001 / size, 0.001 / size


done = 0
while done < count:
    info = known[choice.choice(own)] if choice.random() < 0.34 else choice.choice(infos)
    crs = pyproj.CRS.from_epsg(info.code)
    base = crs.geodetic_crs
    code = base.to_epsg()
    if code is None:
        continue
    area = info.area_of_use
    west, east = area.west, area.east if area.east >= area.west else area.east + 360
    longitude = choice.uniform(west, east)
    longitude -= 360 if longitude > 180 else 0
    latitude = choice.uniform(max(area.south, -85), min(area.north, 85))
    radians = base.axis_info[0].unit_conversion_factor
    if abs(radians - math.pi / 180) > 1e-9 or base.prime_meridian.longitude:
        continue
    forth = pyproj.Transformer.from_crs(base, crs, always_xy=True)
    x, y = forth.transform(longitude, latitude)
    if not (math.isfinite(x) and math.isfinite(y)):
        continue
    back = forth.transform(x, y, direction="INVERSE")
    # PROJ's own way back from Equal Earth misses by up to 1.7 mm (9.5.1): its way there does not.
    if info.code == "8857":
        back = (longitude, latitude)
    names = [f"EPSG:{code}", f"EPSG:{info.code}"]
    if choice.random() < 0.5:
        line = names + [longitude, latitude, x, y, *millimetre(crs, latitude)]
    else:
        line = names[::-1] + [x, y, *back, *millimetre(base, latitude)]
    print("\t".join(v if isinstance(v, str) else repr(v) for v in line))
    done += 1
