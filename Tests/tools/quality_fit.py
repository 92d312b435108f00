#!/usr/bin/env python3
"""Fits the weights of Decal's quality measure to SSIMULACRA2 and says how well they agree.

usage: quality_fit.py BENCH DIR
DIR is from quality_pairs.py. Of half the clips, by the digest of their names, the weights are made; the agreement is that on
the other half, frame by frame. Prints the lines of FrameQualityWeights.swift.
"""
import hashlib
import pathlib
import subprocess
import sys

import numpy as np
from scipy.optimize import nnls
from scipy.stats import spearmanr

import animation_score

PLANES = ("redGreen", "brightness", "blue")
KINDS = ("structure", "added", "lost", "worstStructure", "worstAdded", "worstLost")


def is_held_out(clip):
    return hashlib.sha1(clip.encode()).digest()[0] % 2 == 1


def pairs(folder):
    """What was lost against which whole, and how many frames of it to look at."""
    for path in sorted(folder.glob("b*.png")):
        yield folder / "target.png", path, 4
    for path in sorted(folder.glob("short-*.png")):
        yield folder / "short.png", path, 2


def measured(bench, target, path, count):
    """For so many frames and both grounds: all differences, and SSIMULACRA2; kept beside the file."""
    kept = path.with_suffix(".tsv")
    if not kept.exists():
        text = subprocess.run(
            [bench, "differences", str(count), target, path], capture_output=True, text=True, check=True).stdout
        wanted, wanted_delays = animation_score.read_output(target)
        frames, delays = animation_score.read_output(path)
        shown = animation_score.shown_at(wanted_delays, delays)
        lines = []
        for line in text.splitlines():
            _, frame, ground, values = line.split("\t")
            a, b = wanted[int(frame)], frames[shown[int(frame)]]
            score = 100.0 if np.array_equal(a, b) else animation_score.compute_ssimulacra2(
                animation_score.picture(a, int(ground)), animation_score.picture(b, int(ground)))
            lines.append(f"{score}\t{values}\n")
        kept.write_text("".join(lines))
    for line in kept.read_text().splitlines():
        score, values = line.split("\t")
        yield float(score), [float(value) for value in values.split()]


def fit(differences, scores, clips):
    """Weights that are not negative, so that 100 - sqrt(differences * weights) is the score; each clip has one vote."""
    votes = np.array([np.sqrt(1 / np.sum(clips == clip)) for clip in clips])
    wanted = np.maximum(0, 100 - scores) ** 2
    # An error of the square counts as what it changes in the score; what is below 0 is as good as 0.
    trust = votes * 0.5 / np.sqrt(np.maximum(wanted, 4)) * np.where(scores < 0, 0.3, 1)
    spread = differences.std(0) + 1e-9
    return nnls(differences / spread * trust[:, None], wanted * trust, maxiter=20000)[0] / spread


def agreement(differences, scores, weights):
    found = 100 - np.sqrt(differences @ weights)
    errors = np.abs(found.clip(0, 100) - scores.clip(0, 100))
    return f"mean absolute error {errors.mean():.2f}, 95 of 100 under {np.percentile(errors, 95):.1f}, " \
        f"rank correlation {spearmanr(found, scores)[0]:.4f}, {len(scores)} pictures"


def main():
    bench, root = sys.argv[1], pathlib.Path(sys.argv[2])
    rows = [
        (folder.name, score, values) for folder in sorted(root.iterdir()) if folder.is_dir()
        for pair in pairs(folder) for score, values in measured(bench, *pair) if score > -150]
    clips = np.array([row[0] for row in rows])
    scores, differences = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    held = np.array([is_held_out(clip) for clip in clips])
    weights = fit(differences[~held], scores[~held], clips[~held])
    print("fitted: ", agreement(differences[~held], scores[~held], weights))
    print("held out:", agreement(differences[held], scores[held], weights))
    for index, weight in enumerate(weights):
        scale, plane, kind = index // 18 + 1, PLANES[index // 6 % 3], KINDS[index % 6]
        if weight > 0:
            print(f"    Weight({scale}, .{plane}, .{kind}, {weight:.5g}),")


if __name__ == "__main__":
    main()
