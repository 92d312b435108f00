"""Shapes and the stage they are drawn on.

Everything is a filled curve or a brush stroke, rasterized at four times the resolution and composed in
premultiplied float. Units are thousandths of the canvas, y points down, (0, 0) is the middle. The white die-cut
border is grown from the finished drawing, so that edge pixels are purely white.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from math import cos, pi, radians, sin, sqrt

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

SUPERSAMPLING = 4
LINE_WIDTH = 15
BORDER = 24
LINE = "#3b1a1d"


def rgb(color):
    return np.array([int(color[i:i + 2], 16) for i in (1, 3, 5)], np.float32) / 255


# Shapes


@dataclass(frozen=True)
class Shape:
    """Points in units; filled when closed; every point also carries a brush of its radius."""

    points: np.ndarray
    radii: np.ndarray
    closed: bool


def curve(points, closed=True, radius=0.0, steps=14):
    """A smooth curve through points; a third item marks a corner. `radius` is one brush radius or (start, end)."""
    xy = np.array([p[:2] for p in points], float)
    corner = [len(p) > 2 for p in points]
    count = len(xy)
    handles = np.zeros((count, 2))
    for i in range(count):
        if corner[i] or (not closed and i in (0, count - 1)):
            continue
        along = xy[(i + 1) % count] - xy[i - 1]
        handles[i] = along / (np.hypot(*along) or 1)
    out = []
    u = np.linspace(0, 1, steps, endpoint=False)[:, None]
    for i in range(count if closed else count - 1):
        a, d = xy[i], xy[(i + 1) % count]
        third = np.hypot(*(d - a)) / 3
        b, c = a + handles[i] * third, d - handles[(i + 1) % count] * third
        out.append((1 - u) ** 3 * a + 3 * (1 - u) ** 2 * u * b + 3 * (1 - u) * u ** 2 * c + u ** 3 * d)
    if not closed:
        out.append(xy[-1:])
    pts = np.concatenate(out)
    start, end = radius if isinstance(radius, tuple) else (radius, radius)
    return Shape(pts, np.linspace(start, end, len(pts)), closed)


def mirrored(half, **options):
    """A closed curve symmetric about x = 0 from its right half, top to bottom."""
    left = [(-p[0], *p[1:]) for p in reversed(half) if p[0] != 0]
    return curve(half + left, **options)


def ellipse(x, y, rx, ry=None, turn=0):
    ry = rx if ry is None else ry
    a = np.linspace(0, 2 * pi, 72, endpoint=False)
    px, py, c, s = rx * np.cos(a), ry * np.sin(a), cos(radians(turn)), sin(radians(turn))
    pts = np.stack([x + px * c - py * s, y + px * s + py * c], 1)
    return Shape(pts, np.zeros(len(pts)), True)


def stroke(*points, radius):
    return curve(points, closed=False, radius=radius)


def moved(shape, dx, dy, scale=1.0):
    """A shape moved, and scaled about its own middle."""
    middle = shape.points.mean(0)
    return Shape((shape.points - middle) * scale + middle + (dx, dy), shape.radii * scale, shape.closed)


def heart(x, y, size, turn=0):
    half = [(0, -30, 1), (28, -68), (72, -72), (96, -28), (72, 28), (0, 92, 1)]
    shape = mirrored(half)
    c, s = cos(radians(turn)) * size / 96, sin(radians(turn)) * size / 96
    return Shape(shape.points @ np.array([[c, s], [-s, c]]) + (x, y), shape.radii, True)


def star(x, y, size, points=5, inner=0.5, turn=-90, soft=0.0):
    """A star; with four points and a small inner radius, a sparkle."""
    corners = []
    for i in range(points * 2):
        r, a = size * (1 if i % 2 == 0 else inner), radians(turn) + pi * i / points
        corners.append((x + r * cos(a), y + r * sin(a), 1))
    return curve(corners, radius=soft, steps=2)


def drop(x, y, size, turn=0):
    """A tear with its tip up."""
    shape = mirrored([(0, -100, 1), (34, -30), (56, 22), (38, 66), (0, 80)])
    c, s = cos(radians(turn)) * size / 80, sin(radians(turn)) * size / 80
    return Shape(shape.points @ np.array([[c, s], [-s, c]]) + (x, y), shape.radii, True)


def rounded(x, y, rx, ry, radius):
    """A rectangle around (x, y), its corners rounded outwards of the given half sizes less the radius."""
    a, b = rx - radius, ry - radius
    return curve([(x - a, y - b, 1), (x + a, y - b, 1), (x + a, y + b, 1), (x - a, y + b, 1)], radius=radius, steps=2)


# The stage


class Stage:
    """A premultiplied canvas with a transform and a clip."""

    def __init__(self, size):
        self.size = size
        self.pixels = np.zeros((size, size, 4), np.float32)
        self.matrix = np.array([[size / 1000, 0, size / 2], [0, size / 1000, size / 2]])
        self.clip = None
        self.below, self.above = [], []  # drawn outside the die-cut border: functions of a stage

    @contextmanager
    def at(self, x=0.0, y=0.0, turn=0.0, scale=1.0, scale_y=None):
        kept = self.matrix
        c, s = cos(radians(turn)), sin(radians(turn))
        sy = scale if scale_y is None else scale_y
        linear = kept[:, :2] @ np.array([[c * scale, -s * sy], [s * scale, c * sy]])
        self.matrix = np.column_stack([linear, kept[:, :2] @ (x, y) + kept[:, 2]])
        yield
        self.matrix = kept

    @contextmanager
    def faded(self, alpha):
        """What is drawn meanwhile becomes translucent as one."""
        kept, self.pixels = self.pixels, np.zeros_like(self.pixels)
        yield
        drawn = self.pixels * np.float32(alpha)
        self.pixels = kept * (1 - drawn[..., 3:]) + drawn

    @contextmanager
    def inside(self, shape, grow=0.0):
        kept = self.clip
        mask = np.zeros(self.pixels.shape[:2], np.float32)
        region, coverage = self.coverage(shape, grow)
        mask[region] = coverage
        self.clip = mask if kept is None else mask * kept
        yield
        self.clip = kept

    def coverage(self, shape, grow):
        """The region of pixels a shape touches, and how much of each it covers."""
        pts = shape.points @ self.matrix[:, :2].T + self.matrix[:, 2]
        scale = sqrt(abs(np.linalg.det(self.matrix[:, :2])))
        radii = (shape.radii + grow) * scale
        margin = radii.max() + 2
        x0, y0 = np.maximum(np.floor(pts.min(0) - margin), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(pts.max(0) + margin), self.size).astype(int)
        if x1 <= x0 or y1 <= y0:
            return (slice(0, 0), slice(0, 0)), np.zeros((0, 0), np.float32)
        q = SUPERSAMPLING
        mask = Image.new("L", ((x1 - x0) * q, (y1 - y0) * q))
        draw = ImageDraw.Draw(mask)
        pts, radii = (pts - (x0, y0)) * q - 0.5, radii * q
        if shape.closed:
            draw.polygon([tuple(p) for p in pts], fill=255)
        if radii.max() > 0.5:
            self.brush(draw, pts, radii, shape.closed)
        return (slice(y0, y1), slice(x0, x1)), np.asarray(mask.reduce(q), np.float32) / 255

    @staticmethod
    def brush(draw, pts, radii, closed):
        count = len(pts)
        for i in range(count):
            (x, y), r = pts[i], radii[i]
            draw.ellipse((x - r, y - r, x + r, y + r), fill=255)
            if i + 1 < count or closed:
                j = (i + 1) % count
                step = pts[j] - pts[i]
                length = np.hypot(*step)
                if length > 0:
                    normal = np.array([-step[1], step[0]]) / length
                    a, b = normal * radii[i], normal * radii[j]
                    draw.polygon([tuple(p) for p in (pts[i] + a, pts[j] + b, pts[j] - b, pts[i] - a)], fill=255)

    def fill(self, shape, color, alpha=1.0, grow=0.0):
        """Fills with a color, or with a gradient from one color at the top of the canvas to another at the bottom."""
        region, mask = self.coverage(shape, grow)
        mask = mask * alpha
        if self.clip is not None:
            mask = mask * self.clip[region]
        under = self.pixels[region]
        under *= 1 - mask[..., None]
        under[..., :3] += self.paint(color)[region[0]] * mask[..., None]
        under[..., 3] += mask

    def paint(self, color):
        top, bottom = (color, color) if isinstance(color, str) else color
        down = np.linspace(0, 1, self.size, dtype=np.float32)[:, None, None]
        return rgb(top) * (1 - down) + rgb(bottom) * down

    def part(self, shape, color, shade=None, line=LINE_WIDTH, light=(-9, -11)):
        """A shape with its outline, and its shade on the side away from the light."""
        if line:
            self.fill(shape, LINE, grow=line)
        self.fill(shape, shade or color)
        if shade:
            with self.inside(shape):
                self.fill(moved(shape, *light), color)

    def put_under(self, pixels):
        """Puts premultiplied pixels under everything."""
        self.pixels += (1 - self.pixels[..., 3:]) * pixels

    def finish(self):
        """Grows the white border, closing narrow gaps and holes as a cutter would, and draws what lies outside it."""
        k = sqrt(abs(np.linalg.det(self.matrix[:, :2])))
        alpha = np.round(self.pixels[..., 3] * 255).astype(np.uint8)
        close = 16 * k
        grown = 255 - dilate(255 - dilate(alpha, BORDER * k + close), close)
        grown = np.maximum(grown, holes(grown))
        sigma = 5 * k
        soft = np.asarray(Image.fromarray(grown).filter(ImageFilter.GaussianBlur(sigma)), np.float32) / 255
        mask = np.clip((soft - 0.5) * sigma * 2.5 + 0.5, 0, 1)
        self.put_under(np.repeat(mask[..., None], 4, axis=2))
        for draw in self.above:
            draw(self)
        for draw in self.below:
            ground = Stage(self.size)
            ground.matrix = self.matrix
            draw(ground)
            self.put_under(ground.pixels)

    def image(self):
        """Straight 8-bit RGBA; wholly transparent pixels are all zero."""
        alpha = self.pixels[..., 3:]
        color = self.pixels[..., :3] / np.maximum(alpha, 1e-6)
        out = np.round(np.concatenate([color, alpha], 2).clip(0, 1) * 255).astype(np.uint8)
        out[out[..., 3] == 0] = 0
        return Image.fromarray(out)


def dilate(mask, radius):
    """The largest value within a disc."""
    height, width = mask.shape
    reach = int(np.ceil(radius))
    padded = np.pad(mask, reach)
    out = mask.copy()
    for dy in range(-reach, reach + 1):
        if abs(dy) > radius:
            continue
        half = int(sqrt(radius * radius - dy * dy))
        rows = padded[reach + dy:reach + dy + height]
        wide, span = rows, 1
        while span * 2 <= 2 * half + 1:
            wide = np.maximum(wide[:, :-span], wide[:, span:])
            span *= 2
        rest = 2 * half + 1 - span
        if rest:
            wide = np.maximum(wide[:, :-rest], wide[:, rest:])
        np.maximum(out, wide[:, reach - half:reach - half + width], out=out)
    return out


def holes(mask, cell=8):
    """What the outside cannot reach, in coarse cells: wider than the hole, narrower than the border around it."""
    size = len(mask) // cell * cell
    coarse = mask[:size, :size].reshape(size // cell, cell, size // cell, cell).min((1, 3))
    walls = Image.fromarray(np.pad(np.where(coarse > 127, 255, 0).astype(np.uint8), 1)).copy()
    ImageDraw.floodfill(walls, (0, 0), 128)
    inside = np.asarray(walls)[1:-1, 1:-1] == 0
    out = np.zeros_like(mask)
    out[:size, :size] = np.where(inside, 255, 0).astype(np.uint8).repeat(cell, 0).repeat(cell, 1)
    return out
