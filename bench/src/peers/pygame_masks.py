"""Times pygame's Mask.overlap for the bench: a question a line in, nanoseconds a line out.

The arguments: side, pattern of the first mask, pattern of the second, x and y of the second. It first
prints whether the two have a pixel in common. Then, for each number that it reads, it asks so many
times, and as often makes calls that have nothing to do, a few times in turn, and prints by how much the best of
the one took longer than the best of the other.
"""

import os
import sys
from time import perf_counter_ns

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
import pygame


def noise(x, y):
    bits = x << 16 | y
    for by in 0x85EBCA6B, 0xC2B2AE35:
        bits = (bits ^ bits >> 15) * by & 0xFFFFFFFF
    return bits >> 31 == 1


def mask(side, pattern, right, down):
    edge = side // 16
    is_set = {
        "even": lambda x, y: x % 2 == 0,
        "odd": lambda x, y: x % 2 == 1,
        "first": lambda x, y: x < edge and y < edge,
        "last": lambda x, y: x >= side - edge and y >= side - edge,
        "noise": noise,
        "rest": lambda x, y: not noise(x + right, y + down),
    }[pattern]
    made = pygame.Mask((side, side))
    for y in range(side):
        for x in range(side):
            if is_set(x, y):
                made.set_at((x, y))
    return made


def time(count, overlap, other, at):
    start = perf_counter_ns()
    for _ in range(count):
        overlap(other, at)
    return perf_counter_ns() - start


first, second = sys.argv[2:4]
side, x, y = (int(sys.argv[i]) for i in (1, 4, 5))
a, b = (mask(side, pattern, x, y) for pattern in (first, second))
at = (x, y)
tiny = pygame.Mask((1, 1))
print("hit" if a.overlap(b, at) else "miss", flush=True)
for line in sys.stdin:
    count = int(line)
    whole, calls = zip(*(
        (time(count, a.overlap, b, at), time(count, tiny.overlap, tiny, (5, 5))) for _ in range(5)
    ))
    print(max(min(whole) - min(calls), 1), flush=True)
