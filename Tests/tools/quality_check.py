#!/usr/bin/env python3
"""Compares Decal's quality measure with SSIMULACRA2 on whole animations, and writes how well they agree.

usage: quality_check.py BENCH DIR [FRAMES]
DIR is from quality_pairs.py; FRAMES of each animation are compared by SSIMULACRA2 (12), spread evenly. Scores below 0 count
as 0. Prints a line an animation, then the agreement on the clips that the weights were not fitted to, and on all.
"""
import pathlib
import subprocess
import sys

import numpy as np
from scipy.stats import spearmanr

import animation_score
import quality_fit


def agreement(rows):
    ours, theirs = np.array([row[2] for row in rows]), np.array([row[3] for row in rows])
    errors = np.abs(ours - theirs)
    within = [spearmanr([r[2] for r in rows if r[0] == clip], [r[3] for r in rows if r[0] == clip])[0]
              for clip in {row[0] for row in rows} if sum(r[0] == clip for r in rows) > 3]
    return f"mean absolute error {errors.mean():.2f}, 95 of 100 under {np.percentile(errors, 95):.1f}, rank correlation " \
        f"{spearmanr(ours, theirs)[0]:.4f} (within a clip {np.nanmean(within):.3f}), {len(rows)} animations of " \
        f"{len({row[0] for row in rows})} clips; flicker differs by {np.mean([abs(r[4] - r[5]) for r in rows]):.3f}"


def main():
    bench, root = sys.argv[1], pathlib.Path(sys.argv[2])
    frames = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    rows = []
    for folder in sorted(folder for folder in root.iterdir() if folder.is_dir()):
        wholes = {}
        for target, path, _ in quality_fit.pairs(folder):
            if target not in wholes:
                wholes[target] = animation_score.read_output(target)
            text = subprocess.run([bench, "quality", target, path], capture_output=True, text=True, check=True).stdout
            ours, flicker = map(float, text.split("\t")[:2])
            result = animation_score.score(*wholes[target], path, frames)
            rows.append((folder.name, path.stem, ours, max(0, result["s2"]), flicker, result["flicker"]))
            print(f"{folder.name}\t{path.stem}\t{ours:.1f}\t{result['s2']:.1f}\t{flicker:.2f}\t{result['flicker']:.2f}", flush=True)
    held = [row for row in rows if quality_fit.is_held_out(row[0])]
    if held:
        print("held out:", agreement(held))
    print("all:     ", agreement(rows))


main()
