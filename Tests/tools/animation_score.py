#!/usr/bin/env python3
"""Scores finished animations against what they were made from, by SSIMULACRA2 (PyPI's ssimulacra2).

usage: animation_score.py SOURCE OUTPUT.png ... [--frames N]
Each frame of SOURCE, at the output's size, is compared with the output's frame that is on screen at the middle of its
time, over black and over white: a frame left out costs. A line of JSON an output:
  s2       the mean; 90 looks the same, 70 is good, 50 middling, 30 poor
  s2min    the worst frame
  flicker  root of the mean square of changes in the output's luma where the source does not change, in 8-bit levels
With --frames only so many frames are compared, spread evenly; flicker is always that of all.
"""
import argparse
import io
import json
import struct
import subprocess

import numpy as np
from PIL import Image
from ssimulacra2 import compute_ssimulacra2

LUMA = np.array([0.299, 0.587, 0.114], np.float32)


def visible(frame):
    """Color under alpha 0 is not seen."""
    frame = frame.copy()
    frame[frame[..., 3] == 0] = 0
    return frame


def read_source(path):
    """Frames and delays in seconds of a file that Pillow reads rightly."""
    frames, delays = [], []
    with Image.open(path) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            frames.append(visible(np.asarray(image.convert("RGBA"))))
            delays.append(image.info.get("duration", 100) / 1000)
    exact = stored_delays(path)
    return frames, exact if len(exact) == len(frames) else delays


def chunks(path):
    """The chunks of a PNG; none of another file."""
    data = open(path, "rb").read()
    at = 8
    while data.startswith(b"\x89PNG") and at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def stored_delays(path):
    """The delays that an animated PNG holds, in seconds."""
    pairs = [struct.unpack(">HH", body[20:24]) for kind, body in chunks(path) if kind == b"fcTL"]
    return [number / (denominator or 100) for number, denominator in pairs]


def read_output(path):
    """Frames and delays of a finished file; FFmpeg composes translucent frames as the specification says, Pillow does not."""
    header = next(body for kind, body in chunks(path) if kind == b"IHDR")
    width, height = struct.unpack(">II", header[:8])
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgba", "-vsync", "passthrough", "-"],
        check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout
    frames = [visible(frame) for frame in np.frombuffer(raw, np.uint8).reshape(-1, height, width, 4)]
    delays = stored_delays(path) or [1.0]
    if len(frames) != len(delays):
        raise SystemExit(f"{path}: FFmpeg sees {len(frames)} frames, the file says {len(delays)}")
    return frames, delays


def shown_at(source_delays, delays):
    """For each source frame the number of the output frame on screen at the middle of its time."""
    ends = np.cumsum(delays)
    middles = np.cumsum(source_delays) - np.array(source_delays) / 2
    return np.minimum(np.searchsorted(ends, middles), len(delays) - 1)


def picture(frame, ground):
    """A frame over a gray ground, as a file in memory."""
    color, alpha = frame[..., :3].astype(np.float32), frame[..., 3:].astype(np.float32)
    mixed = (color * alpha + ground * (255 - alpha)) / 255 + 0.5
    file = io.BytesIO()
    Image.fromarray(mixed.astype(np.uint8)).save(file, "BMP")
    file.seek(0)
    return file


def ssimulacra2(wanted, shown):
    """The scores over black and over white; one where both pictures are opaque."""
    if np.array_equal(wanted, shown):
        return [100.0]
    opaque = wanted[..., 3].min() == 255 and shown[..., 3].min() == 255
    grounds = [0] if opaque else [0, 255]
    return [float(compute_ssimulacra2(picture(wanted, ground), picture(shown, ground))) for ground in grounds]


def flicker(source, output, shown):
    """The root of the mean square of luma changes where the source's samples, as seen, are within a level."""
    still, square = 0, 0.0
    for number in range(1, len(source)):
        a, b = source[number - 1].astype(np.float32), source[number].astype(np.float32)
        calm = (np.abs(a[..., :3] * a[..., 3:] - b[..., :3] * b[..., 3:]) <= 255).all(-1)
        calm &= (np.abs(a[..., 3] - b[..., 3]) <= 1) & ((a[..., 3] > 0) | (b[..., 3] > 0))
        still += int(calm.sum())
        if shown[number] == shown[number - 1]:
            continue
        x, y = (output[shown[n]].astype(np.float32) for n in (number - 1, number))
        change = (x[..., :3] * x[..., 3:] - y[..., :3] * y[..., 3:]) @ LUMA / 255
        square += float((change[calm] ** 2).sum())
    return (square / still) ** 0.5 if still else 0.0


def score(source, source_delays, path, frames=0):
    """What an output is worth; `frames` of the source are compared, 0 for all."""
    output, delays = read_output(path)
    if output[0].shape != source[0].shape:
        raise SystemExit(f"{path}: {output[0].shape} is not the source's {source[0].shape}")
    shown = shown_at(source_delays, delays)
    count = min(len(source), frames or len(source))
    numbers = np.unique(np.linspace(0, len(source) - 1, count).round().astype(int))
    scores = [float(np.mean(ssimulacra2(source[n], output[shown[n]]))) for n in numbers]
    return {
        "s2": round(float(np.mean(scores)), 2), "s2min": round(min(scores), 2),
        "flicker": round(flicker(source, output, shown), 3), "frames": len(output),
        "drift_ms": round((sum(delays) - sum(source_delays)) * 1000, 1) if len(output) > 1 else 0,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("outputs", nargs="+")
    parser.add_argument("--frames", type=int, default=0)
    arguments = parser.parse_args()
    source, delays = read_source(arguments.source)
    for path in arguments.outputs:
        print(json.dumps({"file": path} | score(source, delays, path, arguments.frames)), flush=True)


if __name__ == "__main__":
    main()
