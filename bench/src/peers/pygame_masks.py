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


def mask(side, pattern):
    made = pygame.Mask((side, side))
    for y in range(side):
        for x in range(side):
            if (x % 2 == 0) if pattern == "even" else (
                x % 2 == 1) if pattern == "odd" else (
                x < side // 16 and y < side // 16) if pattern == "first" else (
                x >= side - side // 16 and y >= side - side // 16):
                made.set_at((x, y))
    return made


def time(count, overlap, other, at):
    start = perf_counter_ns()
    for _ in range(count):
        overlap(other, at)
    return perf_counter_ns() - start


side, first, second, x, y = sys.argv[1:]
a, b = mask(int(side), first), mask(int(side), second)
at = (int(x), int(y))
tiny = pygame.Mask((1, 1))
print("hit" if a.overlap(b, at) else "miss", flush=True)
for line in sys.stdin:
    count = int(line)
    whole, calls = zip(*(
        (time(count, a.overlap, b, at), time(count, tiny.overlap, tiny, (5, 5))) for _ in range(5)
    ))
    print(max(min(whole) - min(calls), 1), flush=True)
