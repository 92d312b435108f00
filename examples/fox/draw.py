#!/usr/bin/env python3
"""Draws the example sticker pack, a little red fox, into art/ and icon.png: `python3 draw.py [NAME…]`.

Needs NumPy and Pillow. The same versions of these make the same bytes.
"""

import sys
from math import cos, pi, radians, sin
from pathlib import Path

import numpy as np
from PIL import Image

from brush import LINE, Stage, curve, ellipse, rounded, stroke
from character import CREAM, CREAM_SHADE, ROSE, SOCK, SOCK_SHADE, SUN, WATER, WHITE, Pose, curled_fox, fox
from files import gif, jpeg, numbered, palette_png, png, webp
from things import (big_heart, cloud, confetti, lettering, mug, night_cap, note, party_hat, small_heart, sparkle, steam, sunglasses,
                    tear, tear_streams)

HERE = Path(__file__).resolve().parent
ART = HERE / "art"
STILL_SIZE = 1024
MOVING_SIZE = 448
MARGIN = 14


# Stills


def hello(s):
    fox(s, Pose(head=(0, -85, 7), mouth="grin", look=(-6, 0), left=((-178, 216), (-266, 132)), pads="l", tail=4))
    for x, y in ((-334, 84), (-366, 96)):
        s.fill(stroke((x + 6, y - 8 * (x < -350)), (x, y + 30), (x + 4, y + 62 + 8 * (x < -350)), radius=7), LINE)
    lettering(s, "hi!", -344, -236, size=1.3, weight=14, turn=-10, bounce=6)


def love(s):
    fox(s, Pose(head=(0, -95, -4), eyes="heart", left=((-150, 226), (-92, 300)), right=((150, 226), (92, 300)), blush=0.8),
        hold=big_heart)
    small_heart(s, -352, -96, 42, -16)
    small_heart(s, 376, -240, 54, 14)
    small_heart(s, -310, -270, 30, 10)


def laugh(s):
    fox(s, Pose(head=(-6, -85, -9), eyes="squeeze", mouth="laugh", ears=(12, 12), left=((-150, 226), (-70, 286)),
                right=((168, 210), (70, 296)), tail=-4, blush=0.8))
    tear(s, -232, -70, 34, 40)
    tear(s, 236, -128, 34, -40)
    lettering(s, "ha", -392, -214, size=1.0, color=SUN, weight=15, turn=-16, bounce=5)
    lettering(s, "ha", 366, -270, size=0.9, color=SUN, weight=15, turn=14, bounce=5)


def cry(s):
    puddle = curve([(-250, 420), (-160, 380), (0, 372), (200, 384), (290, 424), (200, 452), (-60, 458), (-200, 448)])
    s.part(puddle, WATER, "#4fabe0")
    fox(s, Pose(head=(0, -80, 0), eyes="squeeze", mouth="wail", brows=(10, 22), ears=(44, 44), tail=16,
                left=((-150, 226), (-110, 280)), right=((150, 226), (110, 280))), wear=tear_streams)
    tear(s, -330, 150, 34, 24)
    tear(s, -318, -170, 26, 130)


def sleepy(s):
    fox(s, Pose(head=(-4, -70, -8), eyes="closed", mouth="yawn", ears=(36, 36), left=((-170, 214), (-100, 130)), over="l", tail=12),
        wear=night_cap)
    lettering(s, "z", 312, -206, size=0.75, color=WATER, turn=8)
    lettering(s, "z", 384, -290, size=1.0, color=WATER, turn=-6)
    lettering(s, "z", 318, -386, size=1.3, color=WATER, turn=10)


def party(s):
    fox(s, Pose(head=(0, -85, -5), eyes="star", mouth="laugh", left=((-190, 190), (-272, 124)), right=((180, 196), (266, 116)),
                pads="lr", tail=10, blush=0.7), wear=party_hat)
    confetti(s, [(-360, -330), (-270, -260), (-190, -390), (-400, -190), (-345, -90), (210, -400), (300, -330), (370, -240),
                 (290, -210), (400, -110), (-400, 30)])


def yes(s):
    hand = (-236, 214)
    thumb = stroke((hand[0] + 8, hand[1] - 10), (hand[0] + 12, hand[1] - 74), radius=21)
    fox(s, Pose(head=(0, -85, 6), eyes="wink", mouth="grin", left=((-166, 262), hand), right=((150, 232), (112, 296)), tail=2),
        thumb=thumb)
    sparkle(s, -342, 72, 48)
    sparkle(s, -398, -14, 30)


def thinking(s):
    fox(s, Pose(head=(0, -85, 6), gaze=(9, -12), mouth="smirk", brows=(14, -8), look=(8, -6), left=((-150, 262), (-72, 164)),
                over="l", right=((140, 280), (16, 268)), tail=-2))
    s.part(ellipse(292, -212, 16), WHITE)
    s.part(ellipse(336, -272, 24), WHITE)
    cloud(s, 388, -384, 0.68, WHITE, "#e6ecf5")
    lettering(s, "?", 392, -346, size=0.9)


def mad(s):
    fox(s, Pose(head=(0, -80, 0), eyes="mad", mouth="frown", ears=(34, 34), left=((-190, 232), (-104, 286)),
                right=((190, 232), (104, 286)), tail=-8, blush=1.0))
    with s.at(122, -210, turn=10, scale=0.9):
        for paint, grow in ((LINE, 11), (ROSE, 0)):
            for turn in (0, 90, 180, 270):
                with s.at(turn=turn):
                    s.fill(stroke((14, 50), (18, 18), (50, 14), radius=9), paint, grow=grow)
    cloud(s, -384, -150, 0.3, WHITE, "#e6ecf5")
    cloud(s, 384, -150, 0.3, WHITE, "#e6ecf5")


def surprised(s):
    fox(s, Pose(head=(0, -100, 0), eyes="wide", mouth="oh", brows=(26, 8), ears=(-10, -10), left=((-172, 216), (-196, 96)),
                right=((172, 216), (196, 96)), over="lr", tail=-16))
    lettering(s, "!", -372, -200, size=1.5, color=SUN, weight=17, turn=-14)
    lettering(s, "!", 352, -200, size=1.5, color=SUN, weight=17, turn=14)


def coffee(s):
    def cup(s):
        with s.at(-268, 40, turn=-5, scale=0.84):
            mug(s)

    fox(s, Pose(head=(0, -95, 6), eyes="happy", left=((-128, 262), (-186, 306)), right=((150, 236), (100, 290)), blush=0.8), hold=cup)
    steam(s, -318, 172, 4)
    steam(s, -258, 162, -4)


def thanks(s):
    with s.at(0, -60):
        fox(s, Pose(head=(0, -40, 0), eyes="happy", mouth="grin", hidden="lrb", blush=0.8))
    s.part(rounded(0, 262, 430, 124, 40), CREAM, CREAM_SHADE)
    lettering(s, "thank you", 0, 298, size=1.06, bounce=4)
    for side in (-1, 1):
        s.part(ellipse(226 * side, 138, 50, 40), SOCK, SOCK_SHADE)
        for dx in (-17, 17):
            s.fill(stroke((226 * side + dx, 150), (226 * side + dx, 168), radius=4.5), LINE)
    small_heart(s, 392, 136, 36, 16)


def cool(s):
    fox(s, Pose(head=(0, -85, -6), mouth="smirk", left=((-206, 226), (-112, 292)), right=((176, 206), (236, 112)), pads="r", tail=22),
        wear=sunglasses)
    sparkle(s, -206, -296, 40, WHITE)
    sparkle(s, -262, -236, 24, WHITE)


# Animations: functions of a phase that runs from 0 to 1 and meets itself


def wave(turns, phase, shift=0.0):
    return sin(2 * pi * (turns * phase + shift))


def waving(s, t):
    angle = radians(-146 + 25 * wave(2, t))
    hand = (-184 + 112 * cos(angle), 206 + 112 * sin(angle))
    blink = max(0.0, 1 - abs(t - 0.625) * 14)
    fox(s, Pose(head=(0, -85 + 4 * wave(2, t, 0.25), 7 + 2 * wave(2, t)), mouth="grin", look=(-6, 0), blink=blink,
                left=((-172 + 5 * wave(2, t), 214), hand), pads="l", tail=4 + 6 * wave(2, t, 0.1), ears=(3 * wave(2, t), -3 * wave(2, t)),
                scarf=3 * wave(2, t, 0.3)))


def hearts(s, t):
    fox(s, Pose(head=(8 * wave(1, t), -90 + 3 * wave(2, t), 5 * wave(1, t)), eyes="happy", left=((-178, 216), (-182, 104 + 3 * wave(2, t))),
                right=((178, 216), (182, 104 + 3 * wave(2, t))), over="lr", blush=0.9, tail=6 * wave(1, t, 0.2), lean=1.5 * wave(1, t),
                scarf=3 * wave(1, t, 0.2)))

    def rising(stage, spots):
        for x, phase, size in spots:
            u = (t + phase) % 1
            with stage.faded(0.9 * min(1, u / 0.2, (1 - u) / 0.45)):
                small_heart(stage, x + 20 * wave(1, u, phase), 170 - 590 * u, size * (0.7 + 0.4 * u), 14 * wave(1, u, phase + 0.2))

    s.below.append(lambda stage: rising(stage, [(-376, 0, 60), (-270, 0.45, 46), (262, 0.62, 52), (404, 0.16, 64)]))
    s.above.append(lambda stage: rising(stage, [(-420, 0.72, 42), (352, 0.86, 48)]))


def dancing(s, t):
    sway, up = wave(1, t), (1 - cos(4 * pi * t)) / 2
    left, right = max(0.0, sway), max(0.0, -sway)

    def hand(side, lift):
        lift = lift * lift * (3 - 2 * lift)
        return ((side * (150 + 34 * lift), 234 - 24 * lift), (side * (128 + 142 * lift), 290 - 178 * lift))

    with s.at(0, 440, scale=1 + 0.025 * (1 - up), scale_y=1 - 0.035 * (1 - up)):
        with s.at(0, -440):
            fox(s, Pose(head=(30 * sway, -85 - 16 * up, 9 * sway), eyes="happy", mouth="grin", look=(6 * sway, 0), lean=5 * sway,
                        left=hand(-1, 0.5 - 0.5 * sway), right=hand(1, 0.5 + 0.5 * sway), tail=-16 * wave(1, t, -0.08),
                        feet=((-88 - 8 * right, 402 - 34 * right), (88 + 8 * left, 402 - 34 * left)), scarf=-12 * wave(1, t, -0.1),
                        ears=(5 * wave(2, t), 5 * wave(2, t)), blush=0.7))
    note(s, -372, -190 + 22 * wave(2, t), -10 + 8 * sway)
    note(s, 392, -250 - 22 * wave(2, t), 10 + 8 * sway, ROSE)


def rain(s, t):
    with s.at(0, 96, scale=0.84):
        fox(s, Pose(head=(0, -78 + 3 * wave(1, t), 2 * wave(1, t, 0.25)), eyes="sad", mouth="wobble", brows=(6, 22), ears=(46, 46), gaze=(0, 4),
                    blink=max(0.0, 1 - abs(t - 0.375) * 14), left=((-132, 226), (-74, 292)), right=((132, 226), (74, 292)), tail=20 + 3 * wave(1, t),
                    blush=0.4))
    cloud(s, 12 * wave(1, t), -384, 1.1)

    def falling(stage):
        for k, phase in enumerate((3, 11, 7, 14, 0, 9, 5, 12, 2, 15, 6, 10, 1, 13, 4, 8)):
            u = (2 * t + phase / 16) % 1
            x, y = -320 + 640 * k / 15, -270 + 690 * u
            fade = min(1, u / 0.08, (1 - u) / 0.25)
            stage.fill(stroke((x, y), (x - 4, y + 44), radius=(4, 9)), "#5cb8ee", alpha=0.9 * fade)

    s.above.append(falling)


def wag(s, t):
    side = wave(1, t)
    fox(s, Pose(head=(-7 * side, -85 + 5 * wave(2, t), -3 * side), eyes="happy", mouth="grin", side=wave(1, t, 0.02), lean=2.5 * side,
                left=((-130, 240), (-62, 318)), right=((130, 240), (62, 318)), ears=(4 * wave(2, t), -4 * wave(2, t)), scarf=-6 * side, blush=0.7))


# Pictures without a die-cut border


def night(size=1200):
    """A snapshot of the fox asleep under the moon."""
    s = Stage(size)
    s.fill(rounded(0, 0, 510, 510, 1), "#fdf8ef")
    with s.inside(rounded(0, -56, 444, 388, 12)):
        s.fill(rounded(0, 0, 510, 510, 1), ("#1d2552", "#6a5aa8"))
        s.fill(ellipse(236, -256, 128), "#8f86c4", alpha=0.28)
        s.fill(ellipse(236, -256, 84), "#ffe9a8")
        with s.inside(ellipse(236, -256, 84)):
            s.fill(ellipse(268, -270, 20), "#f5d27f")
            s.fill(ellipse(214, -224, 26), "#f5d27f")
            s.fill(ellipse(222, -296, 13), "#f5d27f")
        for k in range(26):
            x, y = -420 + 840 * ((k * 0.618) % 1), -430 + 330 * ((k * 0.382 + 0.1 * (k % 5)) % 1)
            if abs(x - 236) > 130 or abs(y + 256) > 130:
                s.fill(ellipse(x, y, 3 + 2 * (k % 3)), "#fff6d8", alpha=0.9)
        s.fill(ellipse(-260, 470, 620, 330), "#3c4a86")
        s.fill(ellipse(200, 560, 800, 400), "#2e3a70")
        with s.at(20, 46, scale=0.86):
            curled_fox(s)
        for x, y, z in ((-44, -186, 0.6), (14, -246, 0.8), (-36, -314, 1.0)):
            lettering(s, "z", x, y, size=z, color=WHITE, turn=8)
    lettering(s, "good night", 0, 430, size=0.86, color=SUN, bounce=3)
    return s.image()


def icon(size=1024):
    """The fox on a plate with rounded, transparent corners."""
    s = Stage(size)
    plate = rounded(0, 0, 500, 500, 222)
    with s.inside(plate):
        s.fill(plate, ("#4ed0bd", "#158f8c"))
        s.fill(ellipse(0, 90, 430), WHITE, alpha=0.13)
        s.fill(ellipse(0, 90, 330), WHITE, alpha=0.13)
        with s.at(0, 112, scale=1.2):
            fox(s, Pose(mouth="grin", hidden="lrt"))
    return s.image()


# Writing


def framed(scenes, size):
    """Draws scenes, functions of a stage, all moved and scaled alike so that together they fill the canvas."""
    boxes = []
    for scene in scenes:
        probe = Stage(250)
        with probe.at(scale=0.6):
            scene(probe)
            probe.finish()
        boxes.append(Image.fromarray(np.uint8(probe.pixels[..., 3] > 0.02)).getbbox())
    boxes = np.array(boxes)
    low, high = boxes[:, :2].min(0), boxes[:, 2:].max(0)
    low, high = (low / 250 - 0.5) * 1000 / 0.6, (high / 250 - 0.5) * 1000 / 0.6
    zoom = min(1.1, (1000 - 2 * MARGIN) / (high - low).max())
    x, y = -(low + high) / 2 * zoom
    for scene in scenes:
        s = Stage(size)
        with s.at(x, y, scale=zoom):
            scene(s)
            s.finish()
        yield s.image()


def frames(sticker, count):
    return list(framed([lambda s, t=k / count: sticker(s, t) for k in range(count)], MOVING_SIZE))


def still(sticker):
    return next(framed([sticker], STILL_SIZE))


def pictures():
    """Every picture by name, and how to write it."""
    jobs = {}
    for f in (hello, love, laugh, cry, party, yes, surprised, thanks):
        jobs[f.__name__] = lambda f=f: png([still(f)], ART / f"{f.__name__}.png")
    for f in (thinking, mad, coffee):
        jobs[f.__name__] = lambda f=f: palette_png([still(f)], ART / f"{f.__name__}.png")
    for f in (sleepy, cool):
        jobs[f.__name__] = lambda f=f: webp([still(f)], ART / f"{f.__name__}.webp")
    jobs["night"] = lambda: jpeg(night(), ART / "night.jpg")
    jobs["waving"] = lambda: palette_png(frames(waving, 24), ART / "waving.png", 50)
    jobs["hearts"] = lambda: png(frames(hearts, 20), ART / "hearts.png", 90)
    jobs["rain"] = lambda: webp(frames(rain, 24), ART / "rain.webp", 60)
    jobs["wag"] = lambda: gif(frames(wag, 12), ART / "wag.gif", 60)
    jobs["dancing"] = lambda: numbered(frames(dancing, 16), ART / "dancing.frames")
    jobs["icon"] = lambda: png([icon()], HERE / "icon.png")
    return jobs


def main(names):
    jobs = pictures()
    unknown = set(names) - set(jobs)
    if unknown:
        sys.exit(f"draw.py: error: no picture named {', '.join(sorted(unknown))}; there are {', '.join(jobs)}")
    ART.mkdir(exist_ok=True)
    for name in names or jobs:
        jobs[name]()
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
