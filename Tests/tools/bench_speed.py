#!/usr/bin/env python3
"""Measures processor time, wall time and memory of Decal beside other tools on the same work, and writes PERFORMANCE.md.

usage: bench_speed.py --decal FILE --bench FILE [--only ROW,...] [--corpus DIR] [--pack FILE]
Rows: large, photograph, icons, stills, pack, start, jobs, scale. Tools take turns, so that what else the machine does meets all
of them; the median of five runs counts, and what takes over a minute runs once. Run by `make bench`, which installs everything.
Results are kept as JSON beside the inputs: a run of some rows leaves the others in the table.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

import bench_animation
import bench_inputs
import bench_peers

ROUNDS = 5
SIDE = 618
# A row of its own: what decoding the source and compressing the finished rows once take.
FLOOR = "libraries alone"
ICONS = ["58x58", "87x87", "120x90", "180x135", "58x58", "134x100", "148x110", "1024x1024", "54x40", "81x60", "64x48",
         "96x72", "1024x768"]

PILLOW_THUMBNAIL = """
import sys
from PIL import Image
with Image.open(sys.argv[1]) as image:
    image.draft("RGB", (2 * int(sys.argv[3]),) * 2)
    image.thumbnail((int(sys.argv[3]),) * 2, Image.LANCZOS)
    image.save(sys.argv[2], "PNG", optimize=True)
"""
PILLOW_ICONS = """
import sys
from PIL import Image
with Image.open(sys.argv[1]) as image:
    master = image.convert("RGB")
for number, size in enumerate(sys.argv[3:]):
    width, height = map(int, size.split("x"))
    icon = Image.new("RGB", (width, height), master.getpixel((0, 0)))
    icon.paste(master.resize((height, height), Image.LANCZOS), ((width - height) // 2, 0))
    icon.save(f"{sys.argv[2]}/{number}.png", optimize=True)
"""
OXIPNG = """
import sys, oxipng
for path in sys.argv[2:]:
    oxipng.optimize(path, sys.argv[1] + "/" + path.rsplit("/", 1)[-1])
"""


class Work:
    """One row of the table: tools by name, each a function that does the work once and returns what it took."""

    def __init__(self, title, tools, aims, size=None):
        self.title, self.tools, self.aims, self.size = title, tools, aims, size


def measured(work):
    """Runs the tools by turns; the medians of processor and wall time, the most memory, bytes written."""
    taken = {name: [] for name in work.tools}
    for round_ in range(ROUNDS):
        for name, tool in work.tools.items():
            if round_ == 0 or taken[name][0].wall <= 60:
                taken[name].append(tool())
    rows = {}
    for name, runs in taken.items():
        rows[name] = {
            "cpu": statistics.median(run.seconds for run in runs), "wall": statistics.median(run.wall for run in runs),
            "memory": max(run.memory for run in runs), "runs": len(runs)}
        if work.size:
            rows[name]["bytes"] = work.size(name)
    return rows


def run(*words, folder=None):
    return bench_peers.run(words, folder, log=LOG)


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def thumbnail(arguments, source, out, level):
    """One picture to a sticker of 618 px, which Decal compresses at a level of libdeflate."""
    out.mkdir(parents=True, exist_ok=True)
    python = sys.executable
    tools = {
        "Decal": lambda: run(arguments.decal, "convert", source, "-o", out / "Decal.png", "--grid", "large", "-j", 1),
        "vips": lambda: run("vips", "thumbnail", source, out / "vips.png", SIDE),
        "ImageMagick": lambda: run("convert", source, "-resize", f"{SIDE}x{SIDE}", out / "ImageMagick.png"),
        "Pillow": lambda: run(python, "-c", PILLOW_THUMBNAIL, source, out / "Pillow.png", SIDE)}
    # What it needs has been made: Decal comes first.
    tools[FLOOR] = lambda: run(arguments.bench, "floor", level, source, out / "Decal.png")
    return tools, lambda name: (out / f"{name}.png").stat().st_size if name != FLOOR else None


def icons(arguments, master, out):
    def vips():
        folder = emptied(out / "vips")
        total = bench_peers.Usage()
        for number, size in enumerate(ICONS):
            height = size.split("x")[1]
            total += run("vips", "thumbnail", master, folder / f"{number}.png", height)
        return total

    def magick():
        folder = emptied(out / "ImageMagick")
        total = bench_peers.Usage()
        for number, size in enumerate(ICONS):
            total += run("convert", master, "-resize", size, folder / f"{number}.png")
        return total

    def magick_once():
        folder = emptied(out / "ImageMagick-once")
        words = ["convert", master]
        for number, size in enumerate(ICONS):
            words += ["(", "+clone", "-resize", size, "-write", folder / f"{number}.png", "+delete", ")"]
        return run(*words, "null:")

    return {
        "Decal": lambda: run(arguments.decal, "icon", master, "-o", emptied(out / "Decal.stickersiconset")),
        "13 x vips": vips,
        "Pillow": lambda: run(sys.executable, "-c", PILLOW_ICONS, master, emptied(out / "Pillow"), *ICONS),
        "13 x ImageMagick": magick,
        "ImageMagick": magick_once,
        FLOOR: lambda: run(arguments.bench, "floor", 6, master, *sorted((out / "Decal.stickersiconset").glob("*.png")))}


def stills(arguments, files, out):
    def folder(name):
        return out / name.replace(" ", "")

    def size(name):
        return sum(path.stat().st_size for path in folder(name).iterdir())

    tools = {
        "Decal": lambda: run(arguments.bench, "encode", emptied(folder("Decal")), *files),
        "optipng": lambda: run("optipng", "-quiet", "-dir", emptied(folder("optipng")), *files),
        "oxipng": lambda: run(sys.executable, "-c", OXIPNG, emptied(folder("oxipng")), *files)}
    return tools, size


def pack(arguments, folder, master, out):
    def ours():
        words = [arguments.decal, "build", "--stickers", folder, "--icon", master, "--grid", "large",
                 "--icon-background", "white", "--output", emptied(out / "Decal")]
        return run(*words)

    def theirs():
        shutil.rmtree(out / "sticker-convert", ignore_errors=True)
        binary = pathlib.Path(sys.executable).parent / "sticker-convert"
        return run(
            binary, "--no-confirm", "--no-progress", "--input-dir", folder, "--output-dir", out / "sticker-convert",
            "--preset", "imessage_large", "--duration-max", 1_000_000)

    return {"Decal": ours, "sticker-convert": theirs}


def launched(*words):
    """Wall time of a command in milliseconds, started without anything between."""
    null = os.open(os.devnull, os.O_WRONLY)
    start = time.perf_counter()
    process = os.posix_spawn(words[0], [str(word) for word in words], os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)])
    os.waitpid(process, 0)
    taken = (time.perf_counter() - start) * 1000
    os.close(null)
    return taken


def start(arguments):
    times = {"Decal": [], "vips": []}
    programs = {"Decal": os.path.abspath(arguments.decal), "vips": shutil.which("vips")}
    for _ in range(41):
        for name, program in programs.items():
            times[name].append(launched(program, "--version"))
    return {name: {"milliseconds": statistics.median(values), "least": min(values)} for name, values in times.items()}


def jobs(arguments, folder):
    def build(count):
        shutil.rmtree(folder / "out", ignore_errors=True)
        shutil.rmtree(folder / ".decal", ignore_errors=True)
        return run(arguments.decal, "build", "-q", folder, "-j", count)

    return {"-j1": lambda: build(1), "-j2": lambda: build(2)}


def scale(arguments, folder):
    rows = {}
    for count in (100, 1000, 10_000):
        pack_folder = bench_inputs.small_pack(folder / str(count), count, 48)
        shutil.rmtree(pack_folder / "out", ignore_errors=True)
        shutil.rmtree(pack_folder / ".decal", ignore_errors=True)
        cold = run(arguments.decal, "build", "-q", "--allow", "sticker-group", pack_folder)
        # The first build after one may look at young files again.
        time.sleep(4)
        run(arguments.decal, "build", "-q", "--allow", "sticker-group", pack_folder)
        again = [run(arguments.decal, "build", "-q", "--allow", "sticker-group", pack_folder) for _ in range(3)]
        rows[count] = {"cold": cold.seconds, "cold_wall": cold.wall, "cold_memory": cold.memory,
                       "noop": statistics.median(usage.wall for usage in again),
                       "noop_memory": max(usage.memory for usage in again)}
    return rows


# The document


def against(rows, name, key):
    return f"{rows['Decal'][key] / rows[name][key]:.2f}" if rows[name][key] else "-"


def comparison(title, aims, rows):
    """The lines of one piece of work; `aims` gives the processor time that Decal may take, as a share of each peer's."""
    lines = [f"### {title}", "", "| tool | CPU s | wall s | MiB | bytes | ours / theirs, CPU | aim | wall | bytes |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for name, row in rows.items():
        size = f"{row['bytes']:,}" if row.get("bytes") else ""
        once = "" if row["runs"] > 1 else " (one run)"
        if name == "Decal":
            lines.append(f"| {name}{once} | {row['cpu']:.2f} | {row['wall']:.2f} | {row['memory']} | {size} | | | | |")
            continue
        ratios = [against(rows, name, "cpu"), aims.get(name, ""), against(rows, name, "wall"),
                  against(rows, name, "bytes") if row.get("bytes") else ""]
        lines.append(
            f"| {name}{once} | {row['cpu']:.2f} | {row['wall']:.2f} | {row['memory']} | {size} | " + " | ".join(map(str, ratios)) + " |")
    return lines + [""]


INTRODUCTION = """# Time and memory, beside other tools

`make bench` makes this page: it installs the other tools, makes its inputs from a seed, and runs the tools by turns. `ROWS=` runs a part and
leaves the rest as it was. Times are medians of five runs; what takes over a minute runs once. CPU is the processor time of all processes that a command starts, MiB the
memory of the largest. A ratio below 1 means that Decal takes less; the aim is what we want it to be at most.

- vips is `vips thumbnail`, ImageMagick `convert -resize`, Pillow a script with `LANCZOS` and `optimize=True`. They resample sRGB values, Decal linear
  light with premultiplied alpha. Decal, vips and Pillow decode a JPEG at a reduced size; all write PNG with their defaults.
- For the icons vips and ImageMagick are started 13 times; Pillow, and ImageMagick once more, decode the master once.
- "Libraries alone" is the floor: the library decodes the source, and libdeflate compresses the finished rows once, at the level that Decal
  ends with. No color, no resampling, no choice of filters.
- optipng and oxipng get the same files at their defaults, Decal decodes and encodes the same pixels.
"""

TITLES = {
    "large": ("A drawing of 3000 px to a sticker of 618 px", {"vips": 0.6, "ImageMagick": 0.5, "Pillow": 0.5}),
    "photograph": ("A JPEG of 4000 px to a sticker of 618 px", {"vips": 0.9}),
    "icons": ("A master of 1024 px to the 13 icons", {"13 x vips": 0.2, "Pillow": 0.4, "13 x ImageMagick": 0.1}),
    "stills": ("24 stills to optimized PNG", {"optipng": 0.5, "oxipng": 0.5}),
    "pack": ("Six stills, four animations and icons at 618 px", {"sticker-convert": 0.14}),
}


def versions():
    """The first number that each tool says of itself."""
    found = []
    for tool, option in (("vips", "--version"), ("convert", "--version"), ("optipng", "--version")):
        said = subprocess.run([tool, option], capture_output=True, text=True).stdout
        number = re.search(r"\d+(\.\d+)+(-\d+)?", said)
        found.append(f"{'ImageMagick' if tool == 'convert' else tool} {number[0] if number else '?'}")
    return found


def document(arguments, results):
    lines = [INTRODUCTION, bench_animation.machine(arguments)[:-1] + ", " + ", ".join(versions()) + ".", ""]
    for row, (title, aims) in TITLES.items():
        if row in results:
            lines += comparison(title, aims, results[row])
    if "start" in results:
        ours, theirs = results["start"]["Decal"], results["start"]["vips"]
        lines += ["### Start", "",
                  f"`decal --version` takes {ours['milliseconds']:.1f} ms (at least {ours['least']:.1f}), `vips --version` "
                  f"{theirs['milliseconds']:.1f} ms: {ours['milliseconds'] / theirs['milliseconds']:.2f}, the aim is 0.3.", ""]
    if "jobs" in results:
        one, two = results["jobs"]["-j1"], results["jobs"]["-j2"]
        lines += ["### Side by side", "",
                  f"A pack of 200 stickers takes {one['wall']:.1f} s with `-j1` and {two['wall']:.1f} s with `-j2`: "
                  f"{two['wall'] / one['wall']:.2f}, the aim is 0.6.", ""]
    if "scale" in results:
        lines += ["### Many stickers", "", "| stickers | cold, CPU s | wall s | MiB | nothing to do, wall s | MiB |",
                  "|--:|--:|--:|--:|--:|--:|"]
        for count, row in results["scale"].items():
            lines.append(f"| {int(count):,} | {row['cold']:.1f} | {row['cold_wall']:.1f} | {row['cold_memory']} | {row['noop']:.3f} "
                         f"| {row['noop_memory']} |")
        least, most = results["scale"]["100"], results["scale"]["10000"]
        lines += ["", f"From 100 to 10,000 stickers memory grows by {(most['cold_memory'] - least['cold_memory']) * 1024 / 9900:.1f} KiB a sticker "
                  f"while they are made, and by {(most['noop_memory'] - least['noop_memory']) * 1024 / 9900:.1f} KiB with nothing to do; "
                  "the aim is 4.", ""]
    pathlib.Path(arguments.out).write_text("\n".join(lines).rstrip() + "\n")


def corpus_stills(folder):
    """The first 24 PNG stills that a corpus's list of files names, or none."""
    index = pathlib.Path(folder or "") / "INDEX.tsv"
    if not folder or not index.exists():
        return []
    found = []
    with open(index, newline="") as file:
        for row in csv.reader(file, delimiter="\t"):
            path = next((pathlib.Path(folder) / word for word in row if word.startswith("art-static/") and word.endswith(".png")), None)
            if path and path.exists():
                found.append(path)
    return found[:24]


def main():
    global LOG
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decal", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--only", default="", help="rows by name")
    parser.add_argument("--corpus", help="a folder with INDEX.tsv, whose stills are optimized")
    parser.add_argument("--pack", help="a script that makes a pack; without it one is made here")
    parser.add_argument("--work", default=".build/bench-speed")
    parser.add_argument("--out", default="PERFORMANCE.md")
    arguments = parser.parse_args()
    work = pathlib.Path(arguments.work).absolute()
    inputs, out = work / "inputs", work / "out"
    out.mkdir(parents=True, exist_ok=True)
    LOG = work / "log"
    LOG.unlink(missing_ok=True)
    large, photograph, master = bench_inputs.pictures(inputs)

    def comparisons(row):
        title, aims = TITLES[row]
        size = None
        if row == "large":
            tools, size = thumbnail(arguments, large, out / row, 7)
        elif row == "photograph":
            tools, size = thumbnail(arguments, photograph, out / row, 4)
        elif row == "icons":
            tools = icons(arguments, master, out / row)
        elif row == "stills":
            found = corpus_stills(arguments.corpus)
            files = bench_inputs.stills(inputs / ("stills-corpus" if found else "stills"), found)
            tools, size = stills(arguments, files, out / row)
        else:
            folder, icon = inputs / "pack", master
            if arguments.pack and os.path.exists(arguments.pack):
                folder = inputs / "given"
                if not (folder / "pack").is_dir():
                    subprocess.run([sys.executable, arguments.pack, folder], check=True)
                folder, icon = folder / "pack", folder / "master_icon.png"
            else:
                folder = bench_inputs.pack(folder)
            tools = pack(arguments, folder, icon, out / row)
        return measured(Work(title, tools, aims, size))

    rows = {row: (lambda row=row: comparisons(row)) for row in TITLES}
    rows["start"] = lambda: start(arguments)
    rows["jobs"] = lambda: measured(Work("", jobs(arguments, bench_inputs.small_pack(inputs / "200", 200, 900)), {}))
    rows["scale"] = lambda: scale(arguments, inputs / "scale")
    for row in bench_animation.chosen(arguments.only, list(rows)):
        (work / f"{row}.json").write_text(json.dumps(rows[row]()))
        print(row, (work / f"{row}.json").read_text(), flush=True)
    results = {row: json.loads((work / f"{row}.json").read_text()) for row in rows if (work / f"{row}.json").exists()}
    document(arguments, results)
    print(pathlib.Path(arguments.out).read_text())


if __name__ == "__main__":
    main()
