"""Works out the sizes of pictures for a web page."""

import argparse
import json


def parser():
    it = argparse.ArgumentParser(prog="resize.py", description=__doc__)
    it.add_argument("width", type=int)
    it.add_argument("height", type=int)
    it.add_argument("--max-width", type=int, default=1200)
    it.add_argument("--steps", type=int, default=4)
    it.add_argument("--ratio", metavar="W:H", help="crop to this ratio first")
    it.add_argument("--retina", action="store_true", help="also twice as large, where the picture is large enough")
    it.add_argument("--format", choices=["text", "json"], default="text")
    return it


def sizes(width, height, max_width, steps, ratio=None, retina=False):
    if ratio is not None:
        w, h = (int(part) for part in ratio.split(":"))
        width, height = min(width, height * w // h), min(height, width * h // w)
    widest = min(width, max_width)
    found = {widest * step // steps for step in range(1, steps + 1)}
    if retina:
        found |= {2 * one for one in found if 2 * one <= width}
    return [(one, one * height // width) for one in sorted(found)]


def main(words=None):
    given = parser().parse_args(words)
    found = sizes(given.width, given.height, given.max_width, given.steps, given.ratio, given.retina)
    if given.format == "json":
        print(json.dumps([{"width": width, "height": height} for width, height in found]))
    else:
        print("\n".join(f"{width}x{height}" for width, height in found))


if __name__ == "__main__":
    main()
