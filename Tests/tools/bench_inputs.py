"""Makes what `bench_speed.py` measures with, the same from the same seed: pictures, a master icon and packs."""
import math
import pathlib
import random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

SEED = 20261130


def blobs(random_, side, count):
    """Overlapping ellipses with outlines and shading on transparency, as sticker art is."""
    image = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(image)
    for _ in range(count):
        x, y = random_.uniform(0.2, 0.8) * side, random_.uniform(0.2, 0.8) * side
        w, h = random_.uniform(0.05, 0.28) * side, random_.uniform(0.05, 0.28) * side
        color = tuple(random_.randrange(30, 256) for _ in range(3)) + (255,)
        draw.ellipse([x - w, y - h, x + w, y + h], fill=color, outline=(40, 24, 32, 255), width=max(1, side // 120))
    return image


def shaded(image, strength=40):
    """The picture with light from one side, so that colors are many."""
    pixels = np.asarray(image).astype(np.float32)
    height, width = pixels.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    pixels[..., :3] += (strength * (1 - (x / width + y / height)))[..., None]
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8), "RGBA")


def drawing(seed, side, count=24):
    """Smooth-edged art: drawn at twice the size and scaled down."""
    return shaded(blobs(random.Random(seed), side * 2, count).resize((side, side), Image.LANCZOS))


def photograph(seed, side):
    """Noise of many scales in three channels, as textured as a photograph."""
    generator = np.random.default_rng(seed)
    total = np.zeros((side, side, 3), np.float32)
    for octave in range(7):
        cells = 4 << octave
        layer = Image.fromarray((generator.random((cells, cells, 3)) * 255).astype(np.uint8), "RGB")
        total += np.asarray(layer.resize((side, side), Image.BICUBIC), np.float32) * 0.6**octave
    total -= total.min()
    return Image.fromarray((total * (255 / total.max())).astype(np.uint8), "RGB")


def animation(seed, side, frames):
    """A shape that turns and swings in front of soft light."""
    made = []
    for number in range(frames):
        angle = 2 * math.pi * number / frames
        image = Image.new("RGBA", (side, side))
        draw = ImageDraw.Draw(image)
        center = (side / 2 + math.sin(angle) * side / 8, side / 2)
        for ring in range(5, 0, -1):
            radius = side * ring / 14
            corners = [(center[0] + radius * math.cos(angle + turn * math.pi / 3 + ring),
                        center[1] + radius * math.sin(angle + turn * math.pi / 3 + ring)) for turn in range(6)]
            draw.polygon(corners, fill=(40 * ring, 250 - 35 * ring, (seed * 40 + 30 * ring) % 256, 255), outline=(20, 20, 40, 255))
        glow = image.filter(ImageFilter.GaussianBlur(side / 24))
        made.append(shaded(Image.alpha_composite(glow, image)))
    return made


def once(path, make):
    """Makes a file where it is not there yet."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(".part-" + path.name)
        make(part)
        part.rename(path)
    return path


def pictures(folder):
    """A large drawing, a large photograph and a master icon."""
    def master(path):
        Image.alpha_composite(Image.new("RGBA", (1024, 1024), (60, 180, 170, 255)), drawing(SEED + 2, 1024)).convert("RGB").save(path, "PNG")

    return (
        once(folder / "large.png", lambda path: drawing(SEED, 3000, 60).save(path, "PNG")),
        once(folder / "photograph.jpg", lambda path: photograph(SEED, 4000).save(path, "JPEG", quality=90)),
        once(folder / "master.png", master))


def stills(folder, sources):
    """Finished stickers to optimize: the pixels of files that are given, or of 24 drawings."""
    if sources:
        return [once(folder / f"{number:02}.png", lambda path, source=source: plain(source, path))
                for number, source in enumerate(sources)]
    return [once(folder / f"{number:02}.png", lambda path, number=number: drawing(number, (300, 408, 618)[number % 3], 6 + number).save(path, "PNG", compress_level=1))
            for number in range(24)]


def plain(source, path):
    """A picture's 8-bit pixels as an unoptimized PNG."""
    with Image.open(source) as image:
        image.convert("RGBA").save(path, "PNG", compress_level=1)


def pack(folder):
    """Six drawings, four animations and a master icon."""
    for number in range(6):
        once(folder / "pack" / f"still{number}.png", lambda path: drawing(100 + number, 1024).save(path, "PNG"))
    for number, frames in enumerate((24, 36, 48, 60)):
        def save(path):
            first, *rest = animation(number, 618, frames)
            first.save(path, "PNG", save_all=True, append_images=rest, duration=50, loop=0)
        once(folder / "pack" / f"turn{number}.png", save)
    return folder / "pack"


def small_pack(folder, count, side):
    """Many small drawings, each its own."""
    art = folder / "art"
    art.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        once(art / f"s{number}.png", lambda path: blobs(random.Random(number), side, 4).save(path, "PNG", compress_level=1))
    (folder / "decal.json").write_text('{ "grid": "small", "effort": "fast" }\n')
    return folder
