"""Lettering and props."""

from brush import LINE, LINE_WIDTH, curve, drop, ellipse, heart, moved, star, stroke
from character import (CREAM, CREAM_SHADE, ROSE, ROSE_LIGHT, ROSE_SHADE, SUN, SUN_SHADE, TEAL, TEAL_LIGHT, TEAL_SHADE, WATER,
                       WATER_LIGHT, WHITE)

# Letters as strokes, and how far each advances; the baseline is at 0, the x-height 58.
ARCH = [(0, -30), (16, -55), (40, -52), (47, -28), (47, 0)]
ROUND = [(24, -58), (5, -48), (0, -29), (6, -9), (24, 0), (42, -9), (48, -29), (42, -48), (24, -58)]
GLYPHS = {
    "a": ([ROUND, [(48, -58), (48, 0)]], 48), "h": ([[(0, -106), (0, 0)], ARCH], 47),
    "d": ([ROUND, [(48, -106), (48, 0)]], 48), "g": ([ROUND, [(48, -58), (48, 14), (28, 36), (2, 26)]], 48),
    "i": ([[(0, -56), (0, 0)], [(0, -96), (0, -95)]], 0), "k": ([[(0, -106), (0, 0)], [(42, -58), (3, -27, 1), (46, 0)]], 46),
    "n": ([[(0, -58), (0, 0)], ARCH], 47), "o": ([ROUND], 48),
    "t": ([[(18, -92), (18, -20), (24, -3), (38, -2)], [(-2, -58), (38, -58)]], 36),
    "u": ([[(0, -58), (0, -24), (10, -2), (32, -3), (47, -26)], [(47, -58), (47, 0)]], 47),
    "y": ([[(0, -58), (24, -6)], [(48, -58), (22, 8), (-2, 34)]], 46),
    "z": ([[(0, -58, 1), (44, -58, 1), (0, 0, 1), (46, 0, 1)]], 46),
    "!": ([[(0, -108), (0, -38)], [(0, -1), (0, 0)]], 0),
    "?": ([[(0, -82), (8, -102), (28, -108), (46, -92), (42, -70), (24, -54), (22, -36)], [(22, -1), (22, 0)]], 46),
}


def lettering(s, text, x, y, size=1.0, color=TEAL, weight=13, turn=0.0, bounce=0.0):
    """Letters centered on x; `bounce` tilts and lifts every other one."""
    gap = 2 * weight + 16
    advances = [GLYPHS[c][1] + gap if c != " " else 40 for c in text]
    with s.at(x, y, turn=turn, scale=size):
        for paint, grow in ((LINE, LINE_WIDTH / size), (color, 0)):
            left = -(sum(advances) - gap) / 2
            for k, (c, advance) in enumerate(zip(text, advances)):
                side = 1 if k % 2 else -1
                with s.at(left, bounce * side, turn=bounce * 0.5 * side):
                    for points in GLYPHS[c][0] if c != " " else []:
                        s.fill(stroke(*points, radius=weight), paint, grow=grow)
                left += advance


def small_heart(s, x, y, size, turn=0):
    s.part(heart(x, y, size, turn), ROSE, line=9)
    s.fill(ellipse(x - size * 0.42, y - size * 0.34, size * 0.17, size * 0.12, turn=-40), WHITE)


def big_heart(s):
    shape = heart(0, 282, 138)
    s.part(shape, ROSE, ROSE_SHADE)
    s.fill(ellipse(-66, 222, 26, 17, turn=-40), ROSE_LIGHT)


def tear(s, x, y, size, turn=0, line=9):
    s.fill(drop(x, y, size, turn), LINE, grow=line)
    s.fill(drop(x, y, size, turn), WATER)
    s.fill(ellipse(x - size * 0.22, y + size * 0.2, size * 0.14, size * 0.2, turn=20), WATER_LIGHT)


def tear_streams(s):
    """Streams down both cheeks, drawn with the head."""
    for side in (-1, 1):
        run = curve([(92 * side, 66, 1), (146 * side, 60, 1), (178 * side, 130), (190 * side, 206), (132 * side, 222), (104 * side, 140)])
        s.fill(run, LINE, grow=8)
        s.fill(run, WATER)
        s.fill(stroke((124 * side, 82), (142 * side, 136), (150 * side, 196), radius=8), WATER_LIGHT)


def party_hat(s):
    with s.at(8, -168, turn=6):
        cone = curve([(-82, 12), (0, 32), (82, 12), (14, -150), (-14, -150)], steps=8)
        s.part(cone, TEAL, TEAL_SHADE)
        with s.inside(cone):
            for y, x in ((-96, -12), (-44, 26), (-30, -34), (8, 2), (10, 62), (-2, -70)):
                s.fill(ellipse(x, y, 13), SUN)
        s.part(star(0, -160, 46, points=9, inner=0.66, soft=6), SUN, SUN_SHADE)


def night_cap(s):
    cap = curve([(-178, -112, 1), (-120, -200), (-10, -262), (120, -262), (226, -196), (286, -92), (296, -46, 1), (244, -58),
                 (196, -120), (172, -128, 1), (0, -166)])
    s.part(cap, TEAL, TEAL_SHADE)
    with s.inside(cap):
        for x0, x1 in ((-96, -40), (20, 64), (134, 160), (226, 214)):
            s.fill(stroke((x0, -300), ((x0 + x1) / 2 + 10, -190), (x1 + 6, -60), radius=15), TEAL_LIGHT)
    s.part(stroke((-184, -112), (-100, -152), (0, -168), (100, -156), (180, -120), radius=26), CREAM, CREAM_SHADE)
    s.part(star(290, -28, 48, points=10, inner=0.78, soft=8), CREAM, CREAM_SHADE)


def sunglasses(s):
    s.fill(stroke((-200, -14), (0, -22), (200, -14), radius=13), LINE)
    for side in (-1, 1):
        lens = curve([(28 * side, -26), (110 * side, -36), (192 * side, -26), (186 * side, 34), (120 * side, 64), (44 * side, 38)])
        s.fill(lens, LINE, grow=13)
        s.fill(lens, "#2a2440")
        with s.inside(lens):
            s.fill(stroke((20 + 110 * side, -70), (-70 + 110 * side, 70), radius=15), "#6b5fa0")
            s.fill(stroke((58 + 110 * side, -70), (-32 + 110 * side, 70), radius=6), "#6b5fa0")


def mug(s):
    s.fill(stroke((96, 236), (150, 240), (152, 304), (92, 318), radius=16), LINE, grow=LINE_WIDTH)
    s.fill(stroke((96, 236), (150, 240), (152, 304), (92, 318), radius=16), TEAL_SHADE)
    cup = curve([(-96, 204, 1), (0, 222), (96, 204, 1), (88, 300), (66, 352), (0, 364), (-66, 352), (-88, 300)])
    s.part(cup, TEAL, TEAL_SHADE)
    s.part(ellipse(0, 206, 96, 24), "#7b4a2e", line=LINE_WIDTH)
    s.fill(ellipse(-14, 209, 58, 11), "#a36a42")
    s.fill(heart(0, 290, 40), CREAM)


def steam(s, x, y, sway=0.0):
    points = ((x, y), (x + 16 + sway, y - 34), (x - 12 - sway, y - 70), (x + 6, y - 108))
    s.fill(stroke(*points, radius=9), LINE, grow=9)
    s.fill(stroke(*points, radius=9), WHITE)


def sparkle(s, x, y, size, color=SUN):
    s.part(star(x, y, size, points=4, inner=0.36, soft=5), color, line=10)


def note(s, x, y, turn=0, color=TEAL):
    """A quaver."""
    with s.at(x, y, turn=turn):
        for paint, grow in ((LINE, 11), (color, 0)):
            s.fill(ellipse(-14, 0, 26, 20, turn=-20), paint, grow=grow)
            s.fill(stroke((9, -4), (9, -92), radius=7), paint, grow=grow)
            s.fill(stroke((9, -90), (30, -74), (42, -44), radius=9), paint, grow=grow)


def cloud(s, x, y, size, color="#b9c4d6", shade="#98a5bd"):
    with s.at(x, y, scale=size):
        puffs = [ellipse(-120, 10, 74, 60), ellipse(-40, -36, 92, 84), ellipse(66, -18, 84, 72), ellipse(132, 20, 62, 50),
                 stroke((-120, 36), (132, 36), radius=36)]
        for p in puffs:
            s.fill(p, LINE, grow=LINE_WIDTH / size)
        for p in puffs:
            s.fill(p, shade)
        for p in puffs:
            with s.inside(p):
                s.fill(moved(p, -6, -16), color)


def confetti(s, spots):
    for k, (x, y) in enumerate(spots):
        color = (TEAL, SUN, ROSE, WATER)[k % 4]
        with s.at(x, y, turn=k * 47):
            if k % 3 == 2:
                s.part(ellipse(0, 0, 15), color, line=9)
            else:
                s.part(stroke((-18, 0), (18, 0), radius=10), color, line=9)
