#!/usr/bin/env python3
"""Draws the pictures of the documentation anew, by the commands that stand beside them.

    python3 Tests/Gallery/draw.py PROGRAM

Runs the blocks of commands with `portolan import` in the pages below and copies the drawings to
Docs/gallery; then takes the screen in README.md from the program in a tmux window of 80 by 24.
"""
import os, pathlib, re, shutil, subprocess, sys, tempfile, time

root = pathlib.Path(__file__).resolve().parents[2]
docs = root / "Docs"
SCREEN = "portolan-gallery"
COUNTRIES = "Sources/portolan/Samples/ne_110m_countries.geojson"
PLACES = "Sources/portolan/Samples/ne_110m_populated_places.geojson"
KEYS = [":go name Czechia", ":layer ne_110m_populated_places", ":zoom to 1.28"]


def blocks(page):
    """The fenced blocks of a page: the language and the text."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", (docs / page).read_text(), re.M | re.S)


def draw(page, folder, environment):
    """Runs the commands of a page in a folder."""
    for language, text in blocks(page):
        if language == "" and text.startswith("open "):
            (folder / "notes.script").write_text(text)
        if language == "sh" and "portolan import" in text:
            subprocess.run(["bash", "-euc", text], cwd=folder, env=environment, check=True)


def screen(program, folder, environment):
    """The text of the editor's screen with a country selected."""
    tmux = ["tmux", "-L", SCREEN, "-f", "/dev/null"]
    state = {**environment, "TERM": "xterm-256color"}
    subprocess.run(
        tmux + ["new-session", "-d", "-s", "map", "-x", "80", "-y", "24",
                f"exec '{program}' {COUNTRIES} {PLACES}"], cwd=folder, env=state, check=True)
    try:
        time.sleep(3)
        for line in KEYS:
            subprocess.run(tmux + ["send-keys", "-t", "map", line, "Enter"], check=True)
            time.sleep(1)
        subprocess.run(tmux + ["send-keys", "-t", "map", "l"], check=True)
        subprocess.run(tmux + ["send-keys", "-t", "map", "h"], check=True)
        time.sleep(1.5)
        taken = subprocess.run(
            tmux + ["capture-pane", "-p", "-t", "map"], capture_output=True, text=True, check=True)
        return "\n".join(line.rstrip() for line in taken.stdout.rstrip("\n").split("\n"))
    finally:
        subprocess.run(tmux + ["kill-session", "-t", "map"], check=False)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        for page in ["pictures.md", "styles.md", "notes.md"]:
            folder = pathlib.Path(name) / page
            (folder / "bin").mkdir(parents=True)
            (folder / "bin" / "portolan").symlink_to(program)
            (folder / "Sources").symlink_to(root / "Sources")
            path = f"{folder / 'bin'}:{os.environ['PATH']}"
            draw(page, folder, {**os.environ, "PATH": path})
            for drawing in sorted(folder.glob("*.svg")):
                shutil.copy(drawing, docs / "gallery" / drawing.name)
                print(f"drawn: Docs/gallery/{drawing.name}")
        environment = {"LC_ALL": "C.UTF-8", "XDG_STATE_HOME": f"{name}/state"}
        text = screen(program, root, {**os.environ, **environment})
    readme = root / "README.md"
    page = readme.read_text()
    readme.write_text(
        re.sub(r"^```\n.*?^```$", lambda _: f"```\n{text}\n```", page, count=1, flags=re.M | re.S))
    print("drawn: the screen in README.md")


main()
