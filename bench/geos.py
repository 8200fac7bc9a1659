"""Measures how long GEOS takes to build, check and triangulate polygons, through Shapely.

The polygons are those of `cargo run --release -p carom --example costs`. Shapely works on arrays of polygons, so the
time of the calls from Python does not count. Prints the best of 15 rounds, in microseconds for one polygon.
"""

import math
import time

import numpy
import shapely

COUNT = 400


def star(vertices):
    """Returns a closed ring of vertices at radius 1 and 0.7 in turns."""
    radius = [1.0, 0.7]
    turns = [i / vertices * math.tau for i in range(vertices)]
    ring = [(radius[i % 2] * math.cos(t), radius[i % 2] * math.sin(t)) for i, t in enumerate(turns)]
    return ring + ring[:1]


def best(run):
    """Returns the best time of a call in microseconds, divided by the number of polygons."""
    times = []
    for _ in range(15):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) / COUNT * 1e6


print(f"GEOS {shapely.geos_version_string}, Shapely {shapely.__version__}")
for vertices in [10, 40, 100]:
    points = numpy.tile(numpy.array(star(vertices)), (COUNT, 1))
    ring_of_point = numpy.repeat(numpy.arange(COUNT), vertices + 1)

    def build():
        return shapely.polygons(shapely.linearrings(points, indices=ring_of_point))

    polygons = build()
    assert shapely.is_valid(polygons).all()
    checked = best(build) + best(lambda: shapely.is_valid(polygons))
    triangles = best(lambda: shapely.constrained_delaunay_triangles(polygons))
    print(f"{vertices} vertices: built and checked {checked:.1f}, with triangles {checked + triangles:.1f}")
