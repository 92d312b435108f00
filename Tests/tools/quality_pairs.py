#!/usr/bin/env python3
"""Makes pairs of animations, one as it should be and one that lost something, to check Decal's quality measure with.

usage: quality_pairs.py DECAL DIR CLIP ...
DIR gets a folder a clip: target.png and what Decal makes of it in less and less room (b480000.png and so on), and
short.png, its first frames, and what posterizing, blur, noise, few colors and held frames make of them.
"""
import hashlib
import pathlib
import subprocess
import sys

import numpy as np
from PIL import Image

import animation_score

BUDGETS = (480_000, 200_000, 80_000, 30_000)
SHORT = 6


def press(decal, clip, output, grid, budget):
    words = [decal, "convert", clip, "-o", output, "--quiet", "--grid", grid, "--effort", "fast", "--budget", str(budget)]
    return output.exists() or subprocess.run(words, capture_output=True).returncode == 0


def save(frames, delays, output):
    pictures = [Image.fromarray(animation_score.visible(frame)) for frame in frames]
    pictures[0].save(output, format="PNG", save_all=True, append_images=pictures[1:], duration=delays, blend=0)


def blurred(frame, radius):
    """Premultiplied, by a Gaussian."""
    reach = int(3 * radius) + 1
    weights = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * radius * radius))
    weights /= weights.sum()
    values = frame.astype(np.float32)
    values[..., :3] *= values[..., 3:] / 255
    for axis in (0, 1):
        padding = [(reach, reach) if other == axis else (0, 0) for other in range(3)]
        padded = np.pad(values, padding, "edge")
        count = values.shape[axis]
        values = sum(weight * padded.take(range(n, n + count), axis) for n, weight in enumerate(weights))
    values[..., :3] *= 255 / np.maximum(values[..., 3:], 0.5)
    return (values + 0.5).clip(0, 255).astype(np.uint8)


def harmed(frames, random):
    """Frames with one kind of loss each, by its name."""
    bits, radius, step = random.choice([2, 3, 4, 5]), random.choice([0.4, 0.7, 1.2, 2]), 256
    step >>= bits
    noise, colors, hold = random.choice([2, 4, 8, 16]), random.choice([8, 16, 32, 64, 128]), random.choice([2, 3, 4])

    def posterized(frame):
        rounded = ((frame[..., :3].astype(int) + step // 2) // step * step).clip(0, 255)
        return np.dstack([rounded, frame[..., 3]]).astype(np.uint8)

    def noisy(frame):
        color = (frame[..., :3] + random.normal(0, noise, frame.shape[:2] + (3,))).clip(0, 255)
        return np.dstack([color, frame[..., 3]]).astype(np.uint8)

    def reduced(frame):
        picture = Image.fromarray(frame).quantize(int(colors), method=Image.Quantize.FASTOCTREE, dither=0)
        return np.asarray(picture.convert("RGBA"))

    yield f"posterize{bits}", [posterized(frame) for frame in frames]
    yield f"blur{radius}", [blurred(frame, radius) for frame in frames]
    yield f"noise{noise}", [noisy(frame) for frame in frames]
    yield f"colors{colors}", [reduced(frame) for frame in frames]
    if len(frames) > 3:
        yield f"hold{hold}", [frames[n - n % hold] for n in range(len(frames))]


def main():
    decal, root = sys.argv[1], pathlib.Path(sys.argv[2])
    for number, clip in enumerate(map(pathlib.Path, sys.argv[3:])):
        name = clip.name.split(".")[0]
        folder = root / name
        if (folder / "short.png").exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        grid = "large" if "618" in name else ("regular" if "408" in name or number % 3 == 0 else "small")
        if not press(decal, clip, folder / "target.png", grid, 100_000_000):
            continue
        size = (folder / "target.png").stat().st_size
        for budget in BUDGETS:
            if budget < 0.9 * size:
                press(decal, clip, folder / f"b{budget}.png", grid, budget)
        frames, delays = animation_score.read_output(folder / "target.png")
        frames, delays = frames[:SHORT], [max(1, round(delay * 1000)) for delay in delays[:SHORT]]
        random = np.random.default_rng(int(hashlib.sha1(name.encode()).hexdigest()[:8], 16))
        for kind, changed in harmed(frames, random):
            save(changed, delays, folder / f"short-{kind}.png")
        save(frames, delays, folder / "short.png")
        print(name, flush=True)


main()
