"""Draws ../before-after.png, the picture of the README: the art folder on the left, the finished pack on the right.

picture.py [OUT]: after `decal build`; OUT is the output folder, out/ by default.
"""

import json
import pathlib
import sys

from PIL import Image, ImageDraw, ImageFont

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 1600, 860
INK, SOFT, PLATE, PAGE = (40, 44, 52), (120, 126, 136), (255, 255, 255), (238, 241, 246)
SOURCES = ["hello.png", "waving.png", "cool.webp", "wag.gif", "night.jpg", "dancing.frames/"]


def font(size):
    return ImageFont.load_default(size=size)


def first_frame(path, side):
    if path.is_dir():
        path = path / "dancing-1.png"
    image = Image.open(path).convert("RGBA")
    image.thumbnail((side, side), Image.LANCZOS)
    return image


def paste(page, image, x, y, side):
    page.alpha_composite(image, (x + (side - image.width) // 2, y + (side - image.height) // 2))


def plate(draw, box, title):
    draw.rounded_rectangle(box, 28, fill=PLATE)
    draw.text((box[0] + 36, box[1] + 26), title, font=font(30), fill=INK)


def kilobytes(path):
    files = [path] if path.is_file() else list(path.iterdir())
    return f"{sum(file.stat().st_size for file in files) // 1000} KB"


def draw_sources(page, draw):
    plate(draw, (40, 40, 560, HEIGHT - 40), "art/  and  icon.png")
    for row, name in enumerate(SOURCES + ["../icon.png"]):
        path, y = HERE / "art" / name, 110 + row * 100
        paste(page, first_frame(path, 86), 76, y, 86)
        draw.text((186, y + 14), name.replace("../", ""), font=font(26), fill=INK)
        size = Image.open(path / "dancing-1.png" if path.is_dir() else path)
        count = len(list(path.iterdir())) if path.is_dir() else getattr(size, "n_frames", 1)
        frames = f", {count} frames" if count > 1 else ""
        draw.text((186, y + 46), f"{size.width} px, {kilobytes(path)}{frames}", font=font(20), fill=SOFT)


def draw_arrow(draw):
    y = HEIGHT // 2
    draw.text((592, y - 62), "decal build", font=font(26), fill=INK)
    draw.line((590, y, 726, y), fill=INK, width=8)
    draw.polygon([(720, y - 22), (752, y), (720, y + 22)], fill=INK)


def draw_pack(page, draw, out):
    plate(draw, (780, 40, WIDTH - 40, HEIGHT - 40), "Stickers.xcstickers")
    manifest = json.loads((out / "manifest.json").read_text())
    made = [sticker["output"] for sticker in manifest["stickers"]]
    for index, output in enumerate(made[:15]):
        x, y = 816 + index % 5 * 147, 104 + index // 5 * 172
        paste(page, first_frame(out / output["path"], 136), x, y, 136)
        draw.text((x + 68, y + 152), f"{output['bytes'] // 1000} KB", font=font(18), fill=SOFT, anchor="mm")
    draw.text((816, 630), f"{len(made)} stickers of 408 px, none over 499 KB, and {len(manifest['icons'])} icons:",
              font=font(22), fill=INK)
    x = 816
    for entry in sorted(manifest["icons"], key=lambda icon: -icon["output"]["height"]):
        output = entry["output"]
        height = max(36, min(130, output["height"] * 130 // 768))
        image = Image.open(out / output["path"]).convert("RGBA")
        image = image.resize((image.width * height // image.height, height), Image.LANCZOS)
        if x + image.width > WIDTH - 70:
            break
        page.alpha_composite(image, (x, 664 + (130 - height) // 2))
        x += image.width + 12


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "out"
    page = Image.new("RGBA", (WIDTH, HEIGHT), PAGE)
    draw = ImageDraw.Draw(page)
    draw_sources(page, draw)
    draw_arrow(draw)
    draw_pack(page, draw, out)
    page.convert("RGB").quantize(255).save(HERE.parent / "before-after.png", optimize=True)


main()
