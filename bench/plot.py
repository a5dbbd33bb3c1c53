#!/usr/bin/env python3
"""Makes a picture of what table.py has measured: for each kernel the time of each variant over the primal's, on a logarithmic axis.

    plot.py FIGURES.json PICTURE.svg [--part serial]

FIGURES.json is what `table.py --json` writes; its parts are `serial`, `openmp 1`, `openmp 2`.
"""

import argparse
import json
import math

COLOURS = {"tangent": "#9ecae1", "by_hand": "#969696", "adjoint": "#2171b5", "adolc": "#fdae6b", "sacado": "#e6550d"}
TITLES = {"tangent": "tangent", "by_hand": "adjoint by hand", "adjoint": "adjoint", "adolc": "ADOL-C", "sacado": "Sacado"}
BAR, GAP, LEFT, WIDTH, TOP = 9, 10, 130, 640, 56


def text(x, y, words, anchor="start", size=11):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{words}</text>'


def picture(rows, title):
    variants = [v for v in COLOURS if any(v in row["ratio"] for row in rows)]
    largest = max(ratio for row in rows for ratio in row["ratio"].values())
    smallest = min(1.0, *(ratio for row in rows for ratio in row["ratio"].values()))
    low, high = math.floor(math.log10(smallest) * 2) / 2, math.log10(largest) * 1.02

    def x(ratio):
        return LEFT + (math.log10(ratio) - low) / (high - low) * WIDTH

    body, y = [], TOP
    for row in rows:
        body.append(text(LEFT - 8, y + BAR * len(variants) / 2 + 4, row["kernel"], "end"))
        for v in variants:
            if v in row["ratio"]:
                ratio = row["ratio"][v]
                left, right = sorted((x(1.0), x(ratio)))
                body.append(f'<rect x="{left:.1f}" y="{y}" width="{max(right - left, 1):.1f}" height="{BAR - 1}" fill="{COLOURS[v]}"/>')
                body.append(text(max(right, x(1.0)) + 3, y + BAR - 2, f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}", size=8))
            y += BAR
        y += GAP
    lines = []
    for tick in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500):
        if low <= math.log10(tick) <= high:
            lines.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP - 6}" y2="{y - GAP}" stroke="#ddd"/>')
            lines.append(text(x(tick), TOP - 10, f"{tick:g}", "middle", 9))
    key, at = [], LEFT
    for v in variants:
        key.append(f'<rect x="{at}" y="24" width="10" height="10" fill="{COLOURS[v]}"/>' + text(at + 14, 33, TITLES[v]))
        at += 30 + 7 * len(TITLES[v])
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 50}" height="{y}" font-family="sans-serif">'
            '<rect width="100%" height="100%" fill="white"/>')
    return "\n".join([head, text(LEFT, 15, title, size=13), *key, *lines, *body, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures")
    parser.add_argument("picture")
    parser.add_argument("--part", default="serial")
    arguments = parser.parse_args()
    with open(arguments.figures, encoding="utf-8") as figures:
        rows = json.load(figures)[arguments.part]
    with open(arguments.picture, "w", encoding="utf-8") as out:
        out.write(picture(rows, f"Time over the primal's ({arguments.part})"))


if __name__ == "__main__":
    main()
