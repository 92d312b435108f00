"""The tools that `bench_animation.py` compares, each as it is meant to be used, and what a run takes."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image

GRIDS = {300: ("small", "imessage_small"), 408: ("regular", "imessage_medium"), 618: ("large", "imessage_large")}
BUDGET = 499_999
COLORS = (256, 128, 64, 32, 16)
STEPS = (1, 2, 3, 4, 6)


class Usage:
    """Processor seconds of a command with all it started, and the memory of its largest process in MiB."""

    def __init__(self, seconds=0.0, memory=0, wall=0.0):
        self.seconds, self.memory, self.wall = seconds, memory, wall

    def __add__(self, other):
        return Usage(self.seconds + other.seconds, max(self.memory, other.memory), self.wall + other.wall)


# A process counts the memory of the one it was started from: a small one stands between.
LAUNCHER = """
import json, os, subprocess, sys
process = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
with open(sys.argv[1], "w") as file:
    json.dump([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss], file)
"""


def run(command, folder=None, log=None):
    """Runs a command to its end; returns what it took. What it says goes to a log."""
    with open(log or os.devnull, "ab") as output, tempfile.NamedTemporaryFile() as result:
        start = time.monotonic()
        subprocess.run(
            [sys.executable, "-S", "-c", LAUNCHER, result.name] + [str(word) for word in command], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=True)
        wall = time.monotonic() - start
        status, seconds, memory = json.load(open(result.name))
    if status != 0:
        raise RuntimeError(f"{command[0]} ended with {status}; see {log}")
    return Usage(seconds, memory >> (20 if sys.platform == "darwin" else 10), wall)


def repeated(work):
    """The least of up to three runs; what takes a minute runs once."""
    best = first = work()
    for _ in range(2):
        if first.wall * 3 > 60:
            break
        again = work()
        best = min(best, again, key=lambda usage: usage.seconds)
    return best


def decal(binary, effort, clip, output, log):
    grid = GRIDS[clip.side][0]
    words = [binary, "convert", clip.path, "-o", output, "--grid", grid, "--effort", effort, "--budget", BUDGET]
    return repeated(lambda: run(words, log=log))


def sticker_convert(clip, output, log):
    """The preset for the size, with its limit of two seconds lifted: Apple knows none."""
    folder = output.parent / (output.stem + "-sticker-convert")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "in").mkdir(parents=True)
    shutil.copy(clip.path, folder / "in" / clip.path.name)
    binary = pathlib.Path(sys.executable).parent / "sticker-convert"
    words = [binary, "--no-confirm", "--no-progress", "--input-dir", folder / "in", "--output-dir", folder / "out",
             "--preset", GRIDS[clip.side][1], "--duration-max", 1_000_000]
    taken = repeated(lambda: run(words, log=log))
    made = sorted((folder / "out").rglob("*.png")) + sorted((folder / "out").rglob("*.apng"))
    if not made:
        raise RuntimeError(f"sticker-convert made nothing of {clip.path}; see {log}")
    shutil.copy(made[0], output)
    shutil.rmtree(folder)
    return taken


def lossless(frames, delays, output, log):
    """apngasm, then apngopt, on frames that Pillow has written; both take plain file names only."""
    folder = output.parent / (output.stem + "-frames")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for number, (frame, delay) in enumerate(zip(frames, delays)):
        frame.save(folder / f"f{number:03}.png", compress_level=1)
        (folder / f"f{number:03}.txt").write_text(f"delay={round(delay * 1000)}/1000\n")
    taken = run(["apngasm", "assembled.png", "f000.png", "-kp", "-z0"], folder, log)
    taken += run(["apngopt", "-z0", "assembled.png", "done.png"], folder, log)
    shutil.move(folder / "done.png", output)
    shutil.rmtree(folder)
    return taken


def quantized(frames, colors, dither, output):
    """Frames with one palette by pngquant's library, made in a process of its own to see what it takes."""
    strip = Image.fromarray(np.concatenate(frames))
    path = output.parent / (output.stem + "-strip.png")
    strip.save(path, compress_level=0)
    code = ("import sys, imagequant\nfrom PIL import Image\nwith Image.open(sys.argv[1]) as image:\n"
            "    imagequant.quantize_pil_image(image, dithering_level=float(sys.argv[3]), max_colors=int(sys.argv[2]),"
            " min_quality=0, max_quality=100).save(sys.argv[1], compress_level=0)\n")
    taken = run([sys.executable, "-c", code, path, colors, dither])
    with Image.open(path) as image:
        image.load()
        height = frames[0].shape[0]
        parts = [image.crop((0, y, image.width, y + height)) for y in range(0, image.height, height)]
        for part in parts:
            part.info["transparency"] = image.info.get("transparency", b"")
    path.unlink()
    return parts, taken


def ladder(clip, output, log, judge):
    """pngquant's library and apngasm/apngopt: colors times kept frames times dithering, the best by score of what fits.

    With one rate and dithering, fewer colors are tried only until one fits; fewer frames until 256 colors fit.
    Returns the processor time of all tries and the winner's settings.
    """
    total, best = Usage(), None
    trial = output.parent / (output.stem + "-try.png")
    for step in STEPS:
        frames = clip.frames[::step]
        delays = [sum(clip.delays[n:n + step]) for n in range(0, len(clip.delays), step)]
        roomy = False
        for dither in (0, 1):
            for colors in COLORS:
                parts, taken = quantized(frames, colors, dither, output)
                total += taken
                total += lossless(parts, delays, trial, log)
                if trial.stat().st_size > BUDGET:
                    continue
                points = judge(trial)
                if best is None or points > best[0]:
                    best = (points, f"{colors} colors, every {step}. frame, {'with' if dither else 'no'} dithering")
                    shutil.copy(trial, output)
                roomy = roomy or colors == 256
                break
        if roomy:
            break
    trial.unlink(missing_ok=True)
    if best is None:
        raise RuntimeError("no setting of the ladder fits")
    return total, best[1]
