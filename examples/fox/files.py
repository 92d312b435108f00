"""Writing pictures, the same bytes every time."""

import struct
import zlib

import numpy as np
from PIL import Image

ALPHA_STEPS = 16


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(rows):
    """Compressed rows without a row filter, which suits flat art best."""
    height = len(rows)
    return zlib.compress(np.column_stack([np.zeros(height, np.uint8), rows.reshape(height, -1)]).tobytes(), 9)


def changed(before, after):
    """The smallest rectangle that holds every pixel that differs, at least one pixel."""
    differs = (before != after) if after.ndim == 2 else (before != after).any(2)
    rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
    if len(rows) == 0:
        return 0, 1, 0, 1
    return rows[0], rows[-1] + 1, columns[0], columns[-1] + 1


def png(images, path, milliseconds=0, colors=()):
    """A PNG of one image, an APNG of more: RGBA, or palette indices when `colors` are given."""
    frames = [np.asarray(image) for image in images]
    height, width = frames[0].shape[:2]
    out = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3 if len(colors) else 6, 0, 0, 0)),
           chunk(b"sRGB", b"\0")]
    if len(frames) > 1:
        out.append(chunk(b"acTL", struct.pack(">II", len(frames), 0)))
    if len(colors):
        out += [chunk(b"PLTE", colors[:, :3].tobytes()), chunk(b"tRNS", colors[:, 3].tobytes())]
    sequence = 0
    for k, frame in enumerate(frames):
        top, bottom, left, right = changed(frames[k - 1], frame) if k else (0, height, 0, width)
        if len(frames) > 1:
            out.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", sequence, right - left, bottom - top, left, top, milliseconds, 1000, 0, 0)))
            sequence += 1
        data = packed(frame[top:bottom, left:right])
        if k == 0:
            out.append(chunk(b"IDAT", data))
        else:
            out.append(chunk(b"fdAT", struct.pack(">I", sequence) + data))
            sequence += 1
    path.write_bytes(b"".join(out) + chunk(b"IEND", b""))


def indexed(images, steps):
    """Indices into one palette of all frames; its first entries are white at `steps` degrees of translucency, as our edges are."""
    strip = np.concatenate([np.asarray(image) for image in images])
    alpha = np.round(strip[..., 3] / 255 * steps).astype(np.uint8)
    solid = np.where(alpha[..., None] == steps, strip[..., :3], 255).astype(np.uint8)
    quantized = Image.fromarray(solid).quantize(256 - steps, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    opaque = np.array(quantized.getpalette(), np.uint8).reshape(-1, 3)[:256 - steps]
    index = np.where(alpha == steps, np.asarray(quantized) + steps, alpha).astype(np.uint8)
    colors = np.full((steps + len(opaque), 4), 255, np.uint8)
    colors[:steps, 3] = np.round(np.arange(steps) * 255 / steps)
    colors[steps:, :3] = opaque
    return np.split(index, len(images)), colors


def palette_png(images, path, milliseconds=0):
    frames, colors = indexed(images, ALPHA_STEPS)
    png(frames, path, milliseconds, colors)


def gif(images, path, milliseconds):
    """Alpha is cut at one half, which leaves the white border as the edge."""
    frames, colors = indexed(images, 1)
    first, *rest = [Image.fromarray(frame) for frame in frames]
    for frame in (first, *rest):
        frame.putpalette(colors[:, :3].tobytes())
    first.save(path, save_all=True, append_images=rest, duration=milliseconds, loop=0, disposal=2, transparency=0, optimize=False)


def webp(images, path, milliseconds=0):
    moving = {"save_all": True, "append_images": images[1:], "duration": milliseconds, "loop": 0} if len(images) > 1 else {}
    images[0].save(path, lossless=True, quality=90, method=5, **moving)


def jpeg(image, path):
    image.convert("RGB").save(path, quality=88, optimize=True)


def numbered(images, folder):
    folder.mkdir(exist_ok=True)
    for number, image in enumerate(images, 1):
        png([image], folder / f"{folder.stem}-{number}.png")
