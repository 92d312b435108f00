#!/usr/bin/env python3
"""Presses animations with Decal and with other tools, scores all of them alike, and writes BENCHMARKS.md.

usage: bench_animation.py --decal FILE --bench FILE --clips DIR ... [--only NAME,...] [--tools NAME,...] [--pack FILE]
Tools: fast, normal, max (Decal's efforts), sticker-convert, ladder (pngquant's library, apngasm and apngopt). Clips are the
animated files in the folders, as large as a grid of stickers. Run by `make bench-animation`, which installs everything.
Results are kept as JSON beside the files that were made: a run of a part leaves the others in the table.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

import animation_score
import bench_peers

TOOLS = ["fast", "normal", "max", "sticker-convert", "ladder"]
NAMES = {"fast": "Decal fast", "normal": "Decal", "max": "Decal max", "ladder": "pngquant + apngopt"}


class Clip:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.frames, self.delays = animation_score.read_source(path)
        self.side = self.frames[0].shape[0]


def colors(path):
    """Entries of the palette, or the kind of truecolor."""
    kinds = {0: "gray", 2: "RGB", 4: "gray+A", 6: "RGBA"}
    for kind, body in animation_score.chunks(path):
        if kind == b"IHDR" and body[9] != 3:
            return kinds[body[9]]
        if kind == b"PLTE":
            return str(len(body) // 3)
    return "?"


def read_back(arguments, path):
    """Whether the strict decoder, libpng, Pillow and FFmpeg see in a file of Decal's the same; raises where not."""
    frames = path.parent / "frames"
    subprocess.run([arguments.bench, "strict", path], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        [arguments.decal, "inspect", path, "--frames", frames / path.stem], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        [sys.executable, pathlib.Path(__file__).parent / "read_back.py", frames, path], check=True,
        stdout=subprocess.DEVNULL)


def measure(arguments, clip, tool, work):
    output, log = work / f"{clip.name}-{tool}.png", work / f"{clip.name}-{tool}.log"
    log.unlink(missing_ok=True)
    note = ""
    if tool == "sticker-convert":
        taken = bench_peers.sticker_convert(clip, output, log)
    elif tool == "ladder":
        judge = lambda path: animation_score.score(clip.frames, clip.delays, path, 6)["s2"]
        taken, note = bench_peers.ladder(clip, output, log, judge)
    else:
        taken = bench_peers.decal(arguments.decal, tool, clip, output, log)
        read_back(arguments, output)
    result = animation_score.score(clip.frames, clip.delays, output, arguments.frames)
    return result | {
        "clip": clip.name, "tool": tool, "side": clip.side, "source_frames": len(clip.frames),
        "bytes": output.stat().st_size, "colors": colors(output), "cpu": round(taken.seconds, 2),
        "memory": taken.memory, "note": note, "compared": min(len(clip.frames), arguments.frames or len(clip.frames))}


def pack(arguments, work):
    """The deterministic pack, pressed once at the large grid."""
    folder, output = work / "pack", work / "pack-out"
    if not (folder / "pack").is_dir():
        subprocess.run([sys.executable, arguments.pack, folder], check=True)
    words = [arguments.decal, "build", "--stickers", folder / "pack", "--icon", folder / "master_icon.png", "--grid",
             "large", "--icon-background", "white", "--output", output, "--force"]
    taken = bench_peers.run(words, log=work / "pack.log")
    manifest = json.loads((output / "manifest.json").read_text())
    stickers = [
        {"name": entry["name"], "bytes": entry["output"]["bytes"], "frames": entry["output"]["frames"],
         "encoding": entry["output"]["encoding"]} for entry in manifest["stickers"]]
    return {"cpu": round(taken.seconds, 2), "memory": taken.memory, "stickers": stickers}


# The document


def machine(arguments):
    """What ran where."""
    processor = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        found = re.search(r"model name\s*:\s*(.*)", open("/proc/cpuinfo").read())
        processor = found[1] if found else processor
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**30
    text = subprocess.run([arguments.decal, "--version"], capture_output=True, text=True).stdout.split("\n")
    versions = [text[0]] + [line.strip() for line in text[1:] if "deflate" in line]
    for package in ("sticker-convert", "imagequant", "ssimulacra2", "pillow", "pyoxipng"):
        shown = subprocess.run([sys.executable, "-m", "pip", "show", package], capture_output=True, text=True).stdout
        found = re.search(r"Version: (.*)", shown)
        versions += [f"{package} {found[1]}"] if found else []
    for package in ("apngasm", "apngopt"):
        shown = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}", package], capture_output=True, text=True)
        versions += [shown.stdout] if shown.returncode == 0 else []
    return f"{datetime.date.today()}, {processor}, {os.cpu_count()} cores, {memory} GiB. " + ", ".join(versions) + "."


def ratio(a, b):
    return f"{a / b:.2f}" if b else "-"


def table(results):
    lines = ["| clip | tool | bytes | frames | colors | s2 | s2 worst | flicker | CPU s | CPU ratio | MiB |",
             "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for clip in dict.fromkeys(result["clip"] for result in results):
        rows = [result for result in results if result["clip"] == clip]
        normal = next((row for row in rows if row["tool"] == "normal"), None)
        for row in rows:
            if "error" in row:
                lines.append(f"| {clip} | {NAMES.get(row['tool'], row['tool'])} | {row['error']} | | | | | | | | |")
                continue
            lines.append(
                f"| {clip} | {NAMES.get(row['tool'], row['tool'])} | {row['bytes']:,} | {row['frames']} of "
                f"{row['source_frames']} | {row['colors']} | {row['s2']:.1f} | {row['s2min']:.1f} | {row['flicker']:.2f} | "
                f"{row['cpu']:.1f} | {ratio(row['cpu'], normal['cpu']) if normal else '-'} | {row['memory']} |")
    return lines


INTRODUCTION = """# Animations at 499,999 bytes

`make bench-animation` makes this page. Every tool gets the same animation, at the size of the sticker, and the same budget.

- **s2** is SSIMULACRA2 (PyPI's `ssimulacra2`), the mean over all frames of the source, each compared with what is on screen at
  the middle of its time, over black and over white; 90 looks the same, 70 is good, 50 middling, 30 poor. **s2 worst** is the
  worst frame.
- **flicker** is how much the output's luma changes where the source stands still: root of the mean square, in 8-bit levels.
- **CPU s** is the processor time of the whole run, the least of three where these take less than a minute; **CPU ratio** is
  against Decal at its normal effort; **MiB** is the memory of the largest process.
- sticker-convert runs with its preset for iMessage, its limit of two seconds lifted. "pngquant + apngopt" is a ladder: colors
  (256, 128, 64, 32, 16) by pngquant's library times every 1st, 2nd, 3rd, 4th or 6th frame times dithering, each through
  apngasm and apngopt; the best by score of what fits is shown, with the time of all tries.
- Every file of Decal's is read back by a strict decoder, by libpng (the picture that readers without APNG show), by Pillow and by
  FFmpeg; all frames are equal in all of them, or the run fails.

Clips whose names end in their size are in `Sources/DecalBench/Clips` (ghost, ember, wow, marble, meadow, streamers), painted
anew from a seed on every run, or come from a folder beside the project.
"""


def document(arguments, results, pressed):
    lines = [INTRODUCTION, machine(arguments), ""] + table(results)
    partly = {row["compared"] for row in results if row.get("compared", 0) < row.get("source_frames", 0)}
    if partly:
        lines += ["", f"Of some only {min(partly)} frames were compared, spread evenly."]
    notes = [row for row in results if row.get("note")]
    if notes:
        lines += ["", "What won on the ladder: "
                  + "; ".join(f"{row['clip']}: {row['note']}" for row in notes) + "."]
    if pressed:
        lines += ["", "## A pack of ten", "",
                  f"Six stills, four animations and the icons at 618 px: {pressed['cpu']:.1f} CPU s, {pressed['memory']} MiB.", "",
                  "| sticker | bytes | frames | pixels | quality |", "|---|--:|--:|---|--:|"]
        for sticker in pressed["stickers"]:
            encoding = sticker["encoding"]
            kind = "exact" if encoding["method"] == "lossless" else f"{encoding['colors']} colors"
            lines.append(
                f"| {sticker['name']} | {sticker['bytes']:,} | {encoding['keptFrames']} of {encoding['sourceFrames']} | {kind} "
                f"| {encoding['quality']} |")
    pathlib.Path(arguments.out).write_text("\n".join(lines) + "\n")


def chosen(words, every):
    names = [name for name in re.split(r"[ ,]+", words or "") if name]
    return [name for name in every if not names or name in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decal", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--clips", nargs="+", required=True)
    parser.add_argument("--only", default="", help="clips by name")
    parser.add_argument("--tools", default="", help="tools by name, pack for the pack")
    parser.add_argument("--pack", help="the script that makes the pack")
    parser.add_argument("--work", default=".build/bench-animation")
    parser.add_argument("--out", default="BENCHMARKS.md")
    parser.add_argument("--frames", type=int, default=0, help="frames to score, 0 for all")
    arguments = parser.parse_args()
    work = pathlib.Path(arguments.work)
    work.mkdir(parents=True, exist_ok=True)
    paths = sorted(
        path for folder in arguments.clips if os.path.isdir(folder) for path in pathlib.Path(folder).iterdir()
        if path.suffix in (".png", ".apng", ".webp", ".gif"))
    failed = False
    for path in [path for path in paths if path.stem in chosen(arguments.only, [path.stem for path in paths])]:
        clip = Clip(path)
        for tool in chosen(arguments.tools, TOOLS):
            try:
                result = measure(arguments, clip, tool, work)
            except (RuntimeError, subprocess.CalledProcessError) as error:
                failed = failed or tool in ("fast", "normal", "max")
                result = {"clip": clip.name, "tool": tool, "error": str(error)}
            (work / f"{clip.name}-{tool}.json").write_text(json.dumps(result))
            print(json.dumps(result), flush=True)
    if arguments.pack and os.path.exists(arguments.pack) and chosen(arguments.tools, ["pack"]):
        (work / "pack.json").write_text(json.dumps(pack(arguments, work)))
    known = [work / f"{path.stem}-{tool}.json" for path in paths for tool in TOOLS]
    results = [json.loads(file.read_text()) for file in known if file.exists()]
    pressed = work / "pack.json"
    document(arguments, results, json.loads(pressed.read_text()) if pressed.exists() else None)
    print("\n".join(table(results)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
