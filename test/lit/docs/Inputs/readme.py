"""The README's first use, for first_use.test.

    readme.py README extract DIR           writes each named block (```cpp misfit.cpp) into DIR
    readme.py README commands DIR TOOL     runs the ```console blocks in DIR, `contraflow` being TOOL, and prints what they print
    readme.py README excerpt NAME FILE     fails unless the block `excerpt of NAME` stands in FILE as it is
    readme.py README output                prints the ```text block `output`
"""
import os
import pathlib
import re
import subprocess
import sys

readme, action, *rest = sys.argv[1:]
blocks = re.findall(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", pathlib.Path(readme).read_text(), re.M | re.S)

if action == "extract":
    for language, name, text in blocks:
        if name and "." in name and " " not in name:
            (pathlib.Path(rest[0]) / name).write_text(text)
elif action == "commands":
    folder, tool = rest
    bin_folder = pathlib.Path(folder) / "bin"
    bin_folder.mkdir(exist_ok=True)
    (bin_folder / "contraflow").write_text(f'#!/bin/sh\nexec "{tool}" "$@"\n')
    (bin_folder / "contraflow").chmod(0o755)
    env = dict(os.environ, PATH=f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    for language, name, text in blocks:
        if language == "console":
            subprocess.run(["sh", "-ec", text], cwd=folder, env=env, check=True)
elif action == "excerpt":
    name, generated = rest
    wanted = next(text for language, title, text in blocks if title == f"excerpt of {name}")
    flat = lambda text: "\n".join(line.strip() for line in text.splitlines())  # the formatter's style is the user's
    if flat(wanted) not in flat(pathlib.Path(generated).read_text()):
        sys.exit(f"{generated} doesn't contain the README's excerpt:\n{wanted}")
elif action == "output":
    print(next(text for language, title, text in blocks if language == "text" and title == "output"), end="")
