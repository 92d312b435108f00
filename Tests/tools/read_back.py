#!/usr/bin/env python3
"""Compares what Pillow and FFmpeg see in finished stickers with the frames that Decal says are in them.

usage: read_back.py FRAMES STICKER.png ...
FRAMES holds one folder a sticker, named like it without the suffix, from `decal inspect --frames`.
Prints one line a difference; exits 1 if there is one.
"""
import json
import pathlib
import subprocess
import sys

import numpy as np
from PIL import Image


def visible(frame):
    """Color under alpha 0 is not seen."""
    frame = frame.copy()
    frame[frame[..., 3] == 0] = 0
    return frame


def by_pillow(path):
    with Image.open(path) as image:
        frames, delays = [], []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            frames.append(visible(np.asarray(image.convert("RGBA"))))
            delays.append(image.info.get("duration", 0))
        return frames, delays


def by_ffmpeg(path, size):
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgba", "-vsync", "passthrough", "-"],
        check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout
    width, height = size
    return [visible(f) for f in np.frombuffer(raw, np.uint8).reshape(-1, height, width, 4)]


def by_decal(folder):
    listing = json.loads((folder / "frames.json").read_text())
    frames = [visible(np.asarray(Image.open(folder / f["file"]).convert("RGBA"))) for f in listing["frames"]]
    return frames, [1000 * f["delay"][0] / f["delay"][1] for f in listing["frames"]]


def differences(path, folder):
    wanted, delays = by_decal(folder)
    height, width = wanted[0].shape[:2]
    pillow, pillow_delays = by_pillow(path)
    for reader, frames in (("Pillow", pillow), ("FFmpeg", by_ffmpeg(path, (width, height)))):
        if len(frames) != len(wanted):
            yield f"{path}: {reader} sees {len(frames)} frames, Decal {len(wanted)}"
            continue
        for number, (a, b) in enumerate(zip(frames, wanted)):
            if not np.array_equal(a, b):
                worst = int(np.abs(a.astype(int) - b.astype(int)).max())
                yield f"{path}: frame {number} differs in {reader}, by up to {worst}"
    if len(wanted) > 1 and any(abs(a - b) > 1 for a, b in zip(pillow_delays, delays)):
        yield f"{path}: delays are {pillow_delays} in Pillow, {delays} in Decal"


def main():
    root = pathlib.Path(sys.argv[1])
    found = [line for path in map(pathlib.Path, sys.argv[2:]) for line in differences(path, root / path.stem)]
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
