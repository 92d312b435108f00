"""The fox: one body, one face, and a pose that says what changes from sticker to sticker."""

from dataclasses import dataclass
from math import radians

import numpy as np

from brush import LINE, LINE_WIDTH, Shape, curve, ellipse, heart, mirrored, moved, star, stroke

ORANGE, ORANGE_SHADE, ORANGE_LIGHT = "#f98b3a", "#e56f2a", "#ffab5e"
CREAM, CREAM_SHADE = "#fff5e6", "#f6dcc3"
SOCK, SOCK_SHADE = "#7a443b", "#62332e"
TEAL, TEAL_SHADE, TEAL_LIGHT = "#25b3a6", "#17918b", "#6ad9c8"
BLUSH, ROSE, ROSE_SHADE, ROSE_LIGHT = "#ff7a6b", "#ff5d6e", "#e23d58", "#ffa0a4"
MOUTH, TONGUE = "#8e2435", "#ff8a8a"
SUN, SUN_SHADE = "#ffcf4a", "#f5ae2e"
WATER, WATER_LIGHT = "#6cc4f5", "#c9ecff"
WHITE = "#ffffff"


@dataclass(frozen=True)
class Pose:
    """What changes from sticker to sticker; left and right are the viewer's."""

    head: tuple = (0, -85, 0)  # x, y, tilt
    look: tuple = (0, 0)  # how far the face is turned
    eyes: str = "open"
    gaze: tuple = (0, 0)
    blink: float = 0.0
    mouth: str = "smile"
    brows: tuple = None  # height, slant
    ears: tuple = (0, 0)  # outward turn
    left: tuple = ((-138, 226), (-118, 296))  # elbow, hand
    right: tuple = ((138, 226), (118, 296))
    over: str = ""  # "l", "r": arms in front of the head
    tail: float = 0.0  # how far it bends
    side: float = 1.0  # where it is: -1 left, 0 behind, 1 right
    feet: tuple = ((-88, 402), (88, 402))
    lean: float = 0.0
    blush: float = 0.55
    scarf: float = 0.0
    hidden: str = ""  # "l", "r": arms, "b": body, "t": tail
    pads: str = ""  # "l", "r": paws whose pads show


TAIL = [(10, 352), (110, 384), (220, 366), (304, 300), (348, 204), (374, 92), (402, -28)]


def tail(s, spine=TAIL, turn=0.0, fluff=1.0):
    """A brush along a spine, from root to tip; `turn` bends it, more and more towards the tip."""
    points = curve(spine, closed=False, steps=12).points
    count = len(points)
    u = np.linspace(0, 1, count)
    bend, (x, y) = radians(turn) * u ** 0.7, (points - points[0]).T
    points = points[0] + np.stack([x * np.cos(bend) - y * np.sin(bend), x * np.sin(bend) + y * np.cos(bend)], 1)
    along = np.gradient(points, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], 1) / np.hypot(along[:, 0], along[:, 1])[:, None]
    profile = np.array([(0, 0), (0.03, 18), (0.1, 31), (0.2, 44), (0.32, 62), (0.44, 78), (0.54, 87), (0.64, 89), (0.73, 82), (0.82, 66),
                        (0.9, 44), (0.96, 21), (1, 0)])
    width = fluff * np.interp(u, profile[:, 0], profile[:, 1])[:, None]
    left, right = points + normal * width, points - normal * width
    outline = np.concatenate([left, right[::-1]])
    shape = Shape(outline, np.full(len(outline), 3.0), True)
    s.part(shape, ORANGE, ORANGE_SHADE)
    i = int(count * 0.64)
    step = along[i] / np.hypot(*along[i])
    zigzag = [(*(points[i] + step * (26 if k % 2 else -14) + normal[i] * fluff * w), 1)
              for k, w in enumerate((130, 72, 36, 0, -36, -72, -130))]
    beyond = [(*(points[-1] + step * 60 + normal[i] * w), 1) for w in (-190, 190)]
    tip = curve(zigzag + beyond, steps=2)
    with s.inside(shape):
        s.fill(tip, CREAM_SHADE)
        with s.inside(moved(shape, -9, -9)):
            s.fill(tip, CREAM)


BODY = [(0, 60), (66, 70), (102, 160), (138, 270), (150, 345), (122, 404), (0, 418)]
BIB = [(0, 60), (76, 80), (96, 190), (92, 262), (66, 304, 1), (52, 288), (34, 330, 1), (22, 308), (0, 344, 1)]


def body(s):
    shape = mirrored(BODY)
    s.part(shape, ORANGE, ORANGE_SHADE)
    with s.inside(shape):
        s.fill(mirrored(BIB), CREAM)


def foot(s, x, y):
    side = 1 if x > 0 else -1
    shape = ellipse(x, y, 62, 40, turn=8 * side)
    s.part(shape, SOCK, SOCK_SHADE)
    for dx in (-17, 17):
        s.fill(stroke((x + dx, y + 10), (x + dx * 1.1, y + 30), radius=4.5), LINE)


def arm(s, shoulder, elbow, hand, thumb=None, pads=False):
    """A tapered arm with a dark sock and a round paw."""
    limb = curve([shoulder, elbow, hand], closed=False, radius=(34, 36), steps=16)
    count = len(limb.points)
    s.fill(limb, LINE, grow=LINE_WIDTH)
    paw = ellipse(*hand, 43)
    s.fill(paw, LINE, grow=LINE_WIDTH)
    if thumb:
        s.fill(thumb, LINE, grow=LINE_WIDTH)
    s.fill(limb, ORANGE_SHADE)
    with s.inside(limb):
        s.fill(moved(limb, -8, -9), ORANGE)
    cut = int(count * 0.56)
    sock = Shape(limb.points[cut:], limb.radii[cut:], False)
    for shape in (sock, paw, thumb):
        if shape:
            s.fill(shape, SOCK)
    with s.inside(paw):
        s.fill(ellipse(*hand, 43), SOCK_SHADE)
        s.fill(ellipse(hand[0] - 8, hand[1] - 9, 43), SOCK)
    if thumb:
        s.fill(thumb, SOCK)
    if pads:
        x, y = hand
        s.fill(ellipse(x, y + 8, 17, 14), BLUSH)
        for dx, dy in ((-20, -11), (0, -20), (20, -11)):
            s.fill(ellipse(x + dx, y + dy, 8), BLUSH)


def scarf(s, sway):
    with s.at(58, 150, turn=-6 + sway):
        for turn, length in ((-24, 96), (14, 118)):
            with s.at(turn=turn):
                end = curve([(-20, 0), (-34, length, 1), (-12, length - 13, 1), (8, length + 5, 1), (28, length - 10, 1),
                             (36, length - 2, 1), (20, 0)])
                s.part(end, TEAL, TEAL_SHADE)
                with s.inside(end):
                    s.fill(stroke((-60, length - 40), (60, length - 34), radius=8), TEAL_LIGHT)
    band = curve([(-96, 96), (-56, 126), (0, 136), (56, 126), (96, 96), (104, 140), (62, 174), (0, 184), (-62, 174), (-104, 140)])
    s.part(band, TEAL, TEAL_SHADE)
    knot = curve([(34, 130), (66, 118), (92, 136), (90, 172), (62, 186), (34, 170)])
    s.part(knot, TEAL, TEAL_SHADE)


EAR = [(-92, 60), (-88, -40), (-44, -142), (2, -196), (26, -196), (58, -120), (86, -24), (78, 70)]
EAR_INNER = [(-48, 60), (-42, -30), (-14, -100), (10, -132), (36, -84), (58, -10), (62, 70)]


def ear(s, side, turn):
    with s.at(142 * side, -112, scale=side, scale_y=1):
        with s.at(turn=14 + turn):
            shape = curve(EAR)
            s.part(shape, ORANGE, ORANGE_SHADE, light=(-9 * side, -11))
            with s.inside(shape):
                s.fill(curve([(-130, -78, 1), (-40, -112), (10, -98), (50, -110), (130, -82, 1), (120, -260, 1), (-120, -260, 1)]), SOCK)
            with s.inside(curve(EAR_INNER)):
                s.fill(curve(EAR_INNER), CREAM_SHADE)
                s.fill(moved(curve(EAR_INNER), 10, 14), CREAM)


HEAD_RIGHT = [(34, -184), (104, -172), (178, -132), (226, -66), (244, 8), (302, 50, 1), (264, 74), (288, 116, 1), (236, 132),
              (238, 164, 1), (176, 172), (104, 202), (0, 214)]
HEAD_TOP = [(-34, -184), (-40, -222, 1), (-8, -202), (10, -246, 1), (26, -202), (48, -214, 1)]
MASK = [(0, 66, 1), (36, 26), (98, 2), (172, 12), (228, 46), (310, 40, 1), (330, 260, 1), (0, 270, 1)]


def head_shape():
    left = [(-p[0], *p[1:]) for p in reversed(HEAD_RIGHT) if p[0] != 0]
    return curve(HEAD_TOP + HEAD_RIGHT + left[:-1])


def head(s, p):
    ear(s, -1, p.ears[0])
    ear(s, 1, p.ears[1])
    shape = head_shape()
    s.part(shape, ORANGE, ORANGE_SHADE)
    dx, dy = p.look
    with s.inside(shape):
        with s.at(dx * 0.8, dy * 0.8):
            mask = mirrored(MASK)
            s.fill(mask, CREAM_SHADE)
            with s.inside(moved(shape, -9 - dx * 0.8, -11 - dy * 0.8)):
                s.fill(mask, CREAM)
        s.fill(ellipse(-92, -134, 46, 16, turn=-26), ORANGE_LIGHT)
        s.fill(ellipse(-146, -98, 13, 10, turn=-40), ORANGE_LIGHT)
    with s.at(dx, dy):
        for side in (-1, 1):
            s.fill(ellipse(186 * side, 92, 40, 24), BLUSH, alpha=p.blush)
            with s.at(116 * side, 18):
                eye(s, side, p)
            if p.brows:
                height, slant = p.brows
                with s.at(108 * side, -62 - height, turn=slant * side):
                    s.fill(stroke((-30, 4), (0, -5), (30, 4), radius=8), LINE)
        mouth(s, p.mouth)
        nose = mirrored([(0, 62), (20, 64), (27, 74), (12, 92), (0, 97)])
        s.fill(nose, LINE, grow=3)
        s.fill(ellipse(-9, 71, 8, 4.5, turn=-12), "#a5767a")


def eye(s, side, p):
    kind = "closed" if p.blink > 0.6 else p.eyes
    if kind == "wink":
        kind = "open" if side < 0 else "happy"
    if kind == "happy":
        s.fill(stroke((-40, 18), (-24, -12), (0, -22), (24, -12), (40, 18), radius=10), LINE)
    elif kind == "closed":
        s.fill(stroke((-40, -2), (-22, 18), (0, 24), (22, 18), (40, -2), radius=10), LINE)
        s.fill(stroke((38 * side, 2), (52 * side, 12), radius=7), LINE)
    elif kind == "squeeze":
        s.fill(stroke((34 * side, -30), (-30 * side, 2, 1), (34 * side, 32), radius=11), LINE)
    elif kind == "heart":
        s.part(heart(0, -2, 58, turn=6 * side), ROSE, ROSE_SHADE, line=10)
        s.fill(ellipse(-24, -24, 11, 8, turn=-35), WHITE)
    elif kind == "star":
        s.part(star(0, 0, 58, inner=0.52, soft=7), SUN, SUN_SHADE, line=10)
        s.fill(ellipse(-12, -14, 8), WHITE)
    else:
        open_eye(s, side, p, kind)


def open_eye(s, side, p, kind):
    rx, ry = {"open": (41, 53), "wide": (46, 60), "sad": (43, 54), "mad": (40, 50), "half": (41, 50)}[kind]
    ry *= 1 - p.blink
    ball = ellipse(0, 0, rx, ry)
    gx, gy = p.gaze
    with s.inside(ball):
        s.fill(ball, "#2c1013")
        s.fill(ellipse(gx * 0.5, 38 + gy * 0.5, 33, 32), "#8f4827")
        s.fill(ellipse(gx * 0.5, 3 + gy, 31, 38), "#2c1013")
        s.fill(ellipse(-12 + gx, -20 + gy, 16, 17), WHITE)
        s.fill(ellipse(15 + gx, 18 + gy, 8), WHITE)
        if kind in ("sad", "wide"):
            s.fill(ellipse(-13 + gx, 22 + gy, 5), WHITE)
    if kind in ("mad", "half"):
        slant = -20 if kind == "mad" else 2
        with s.at(0, -10 if kind == "mad" else -4, turn=slant * side):
            lid = curve([(-62, -62, 1), (62, -62, 1), (62, -8, 1), (-62, -8, 1)], steps=2)
            s.fill(lid, ORANGE)
            s.fill(stroke((-44, -6), (44, -6), radius=9), LINE)


def mouth(s, kind):
    line = 7.5
    if kind == "smile":
        s.fill(stroke((-46, 112), (-36, 130), (-18, 134), (0, 116, 1), (18, 134), (36, 130), (46, 112), radius=line), LINE)
    elif kind in ("grin", "laugh", "yawn"):
        half = {"grin": [(0, 116), (30, 120), (54, 112), (46, 150), (0, 180)],
                "laugh": [(0, 114), (40, 120), (76, 106), (66, 158), (0, 196)],
                "yawn": [(0, 112), (30, 118), (40, 150), (30, 184), (0, 196)]}[kind]
        hole = mirrored(half)
        s.fill(hole, LINE, grow=line)
        s.fill(hole, MOUTH)
        with s.inside(hole):
            s.fill(ellipse(0, 194, 44, 36), TONGUE)
    elif kind == "frown":
        s.fill(stroke((-34, 142), (-18, 124), (0, 119), (18, 124), (34, 142), radius=line), LINE)
    elif kind == "wobble":
        s.fill(stroke((-44, 140), (-28, 124), (-10, 136), (10, 124), (28, 136), (44, 126), radius=line), LINE)
    elif kind == "oh":
        s.fill(ellipse(0, 140, 19, 25), LINE, grow=line)
        s.fill(ellipse(0, 140, 19, 25), MOUTH)
        with s.inside(ellipse(0, 140, 19, 25)):
            s.fill(ellipse(0, 164, 18, 14), TONGUE)
    elif kind == "wail":
        hole = mirrored([(0, 116), (32, 118), (52, 142), (62, 178), (30, 178), (0, 168)])
        s.fill(hole, LINE, grow=line)
        s.fill(hole, MOUTH)
        with s.inside(hole):
            s.fill(ellipse(0, 186, 36, 26), TONGUE)
    elif kind == "small":
        s.fill(stroke((-18, 122), (0, 130), (18, 122), radius=line), LINE)
    elif kind == "smirk":
        s.fill(stroke((-20, 130), (8, 132), (34, 118), radius=line), LINE)


def fox(s, p, hold=None, wear=None, thumb=None):
    """The whole fox, back to front; `hold` is drawn before the arms, `wear` with the head."""
    if "b" not in p.hidden:
        with s.at(0, 400, turn=p.lean):
            with s.at(0, -400):
                if "t" not in p.hidden:
                    tail(s, [(x * p.side, y) for x, y in TAIL], turn=p.tail)
                body(s)
        for x, y in p.feet:
            foot(s, x, y)
        with s.at(p.head[0] * 0.6, (p.head[1] + 85) * 0.8):
            scarf(s, p.scarf)
    if hold:
        hold(s)
    arms = {"l": ((-84, 150), *p.left), "r": ((84, 150), *p.right)}
    for key, bones in arms.items():
        if key not in p.over + p.hidden:
            arm(s, *bones, thumb=thumb if key == "l" else None, pads=key in p.pads)
    x, y, tilt = p.head
    with s.at(x, y + 120, turn=tilt):
        with s.at(0, -120):
            head(s, p)
            if wear:
                wear(s)
    for key, bones in arms.items():
        if key in p.over:
            arm(s, *bones, thumb=thumb if key == "l" else None, pads=key in p.pads)


def curled_fox(s):
    """Asleep, the tail for a blanket."""
    mound = curve([(-150, 190), (-120, 40), (20, -60), (190, -40), (310, 70), (330, 190), (240, 236), (0, 240)])
    s.part(mound, ORANGE, ORANGE_SHADE)
    s.fill(stroke((122, 30), (180, 86), (176, 160), radius=7), LINE)
    with s.at(-150, 44, turn=-7, scale=0.86):
        head(s, Pose(eyes="closed", mouth="smile", ears=(6, 16), blush=0.8))
    tail(s, [(336, 150), (290, 236), (180, 262), (50, 256), (-80, 250), (-190, 262), (-290, 226)], fluff=0.84)
