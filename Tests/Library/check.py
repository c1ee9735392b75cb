#!/usr/bin/env python3
"""Checks the library products as their adopters meet them.

    python3 Tests/Library/check.py            # all checks
    python3 Tests/Library/check.py --update   # write the listing of the public interface anew

1. The C sources compile without Linux's calls, and with the headers of musl where they are; no
   target of the products has flags that SwiftPM refuses in a dependency.
2. The public interface has everything that Docs/interface lists: a missing declaration breaks
   adopters, and is a decision (--update) with a line in Docs/changelog.md. Additions are told.
3. The documentation builds without a warning, and the Swift code in it compiles.
4. Packages that take the library alone fetch and compile nothing of the editor, and may have targets
   called as ours are, and other dependencies beside it.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = ROOT / ".build" / "library"
PRODUCTS = ["PropertyLists", "Archiving", "ArchivingFoundation", "ArchiveInspection", "Ports"]
# Pages whose code stands for itself.
PAGES = ["Docs/coming-from-nscoding.md"]
failures = []


def fail(text):
    failures.append(text)
    print(f"FAILED {text}")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def tool(name):
    """A tool of the Swift toolchain."""
    beside = pathlib.Path(shutil.which("swift")).resolve().parent / name
    return beside if beside.exists() else name


def check_c_sources():
    sources = sorted((ROOT / "Sources/CMemory").glob("*.c"))
    include = ROOT / "Sources/CMemory/include"
    common = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}", *sources]
    variants = {"without Linux's calls": ["-U__linux__"]}
    musl = pathlib.Path("/usr/include/x86_64-linux-musl")
    if musl.exists():
        resources = run(tool("clang"), "-print-resource-dir").stdout.strip()
        variants["with musl"] = [
            "-target", "x86_64-unknown-linux-musl", "-nostdinc",
            "-isystem", f"{resources}/include", "-isystem", musl]
    else:
        print("skipped: no headers of musl (apt-get install musl-dev)")
    for name, flags in variants.items():
        result = run(tool("clang"), *flags, *common)
        if result.returncode:
            fail(f"C sources {name}:\n{result.stderr}")
        else:
            print(f"C sources {name}: compile")


def check_flags():
    """SwiftPM refuses a dependency by version whose products need targets with unsafe flags."""
    # A scratch folder of its own: what is built in the package's own one is not waited for.
    described = run("swift", "package", "dump-package", "--scratch-path", SCRATCH / "dump", cwd=ROOT)
    if described.returncode:
        return fail(f"the package's description:\n{described.stderr}")
    package = json.loads(described.stdout)
    targets = {target["name"]: target for target in package["targets"]}
    left = [name for product in package["products"] if "library" in product["type"]
            for name in product["targets"]]
    seen = set()
    while left:
        name = left.pop()
        if name in seen or name not in targets:
            continue
        seen.add(name)
        left += [(kind.get("byName") or kind.get("target") or [None])[0]
                 for kind in targets[name]["dependencies"]]
        if any("unsafeFlags" in setting["kind"] for setting in targets[name]["settings"]):
            fail(f"{name}, a target of the library products, has unsafe flags")


def module_maps(modules):
    """What a compiler needs to import the modules of a build that stand upon C."""
    return [part for path in modules.parent.glob("*.build/module.modulemap")
            for part in ("-Xcc", f"-fmodule-map-file={path}")]


def symbol_graphs(modules):
    """Reads the symbol graphs of the products out of their modules; returns the folder of these."""
    graphs = SCRATCH / "graphs"
    shutil.rmtree(graphs, ignore_errors=True)
    graphs.mkdir(parents=True)
    target = json.loads(run(tool("swiftc"), "-print-target-info").stdout)["target"]["triple"]
    for product in PRODUCTS:
        result = run(
            tool("swift-symbolgraph-extract"), "-module-name", product, "-target", target,
            "-I", modules, *module_maps(modules), "-minimum-access-level", "public",
            "-output-dir", graphs)
        if result.returncode:
            fail(f"symbol graph of {product}:\n{(result.stdout + result.stderr)[-2000:]}")
    return graphs


def graphs_of(graphs, product):
    """The symbol graphs of a product; its extensions of another module are in a file of both names."""
    return [path for path in graphs.glob(f"{product}*.symbols.json")
            if path.name.removesuffix(".symbols.json").split("@")[0] == product]


def interface(graphs, product):
    """The public declarations of a product, one a line, sorted."""
    lines = set()
    for path in graphs_of(graphs, product):
        graph = json.loads(path.read_text())
        for symbol in graph["symbols"]:
            if symbol["accessLevel"] not in ("public", "open") or "::SYNTHESIZED::" in json.dumps(
                    symbol["identifier"]):
                continue
            text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
            text = re.sub(r"\s+", " ", text).strip()
            lines.add(".".join(symbol["pathComponents"]) + " : " + text)
    return sorted(lines)


def check_interface(graphs, update):
    folder = ROOT / "Docs/interface"
    for product in PRODUCTS:
        present = interface(graphs, product)
        path = folder / f"{product}.txt"
        if len(present) < 50:
            fail(f"only {len(present)} declarations of {product} were found")
        if update:
            folder.mkdir(exist_ok=True)
            path.write_text("\n".join(present) + "\n")
            print(f"{path.relative_to(ROOT)}: {len(present)} declarations")
            continue
        known = path.read_text().splitlines()
        gone = sorted(set(known) - set(present))
        for line in gone:
            fail(f"{product} breaks its adopters, gone or changed: {line}")
        added = len(set(present) - set(known))
        print(f"interface of {product}: {len(present)} declarations, {added} new, {len(gone)} gone")


def check_documentation(graphs, modules):
    for product in PRODUCTS:
        catalogue = ROOT / f"Sources/{product}/{product}.docc"
        with tempfile.TemporaryDirectory() as folder:
            for path in graphs_of(graphs, product):
                shutil.copy(path, folder)
            result = run(
                tool("docc"), "convert", catalogue, "--additional-symbol-graph-dir", folder,
                "--warnings-as-errors", "--output-path", SCRATCH / f"{product}.doccarchive",
                "--fallback-display-name", product, "--fallback-bundle-identifier", product)
        if result.returncode:
            fail(f"documentation of {product}:\n{(result.stdout + result.stderr)[-4000:]}")
        else:
            print(f"documentation of {product}: builds")
        for page in sorted(catalogue.glob("**/*.md")):
            check_code(page, modules)
    for page in PAGES:
        check_code(ROOT / page, modules)


def check_code(page, modules):
    """Type-checks the Swift code of a page, all of it together."""
    blocks = re.findall(r"^```swift\n(.*?)^```", page.read_text(), re.S | re.M)
    if not blocks:
        return
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "page.swift"
        imports = "".join(f"import {product}\n" for product in PRODUCTS)
        source.write_text(imports + "\n".join(blocks))
        result = run(
            tool("swiftc"), "-typecheck", "-parse-as-library", "-swift-version", "6",
            "-I", modules, *module_maps(modules), source)
    if result.returncode:
        fail(f"code of {page.relative_to(ROOT)}:\n{result.stderr[-3000:]}")
    else:
        print(f"code of {page.relative_to(ROOT)}: {len(blocks)} blocks compile")


MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "portolan", path: "%s", traits: []),
    %s
  ],
  targets: [
    .target(name: "Files"), .target(name: "Graphics"), .target(name: "Documents"),
    .executableTarget(name: "client", dependencies: ["Files", "Graphics", "Documents", %s]),
  ])
"""

CODING = """import Archiving
let archiver = KeyedArchiver()
try archiver.encodeString("Old Customs House", forKey: "name")
let unarchiver = try KeyedUnarchiver(archiver.finish())
print(try unarchiver.decodeString(forKey: "name"))
"""

# The other package has a target CSystem, as we have.
SYSTEM = '.package(url: "https://github.com/apple/swift-system", from: "1.4.0"),'
INSPECTING = """import ArchiveInspection
import Archiving
import SystemPackage
let archiver = KeyedArchiver()
try archiver.encodeString("Old Customs House", forKey: "name")
let archive = try InspectedArchive(archiver.finish())
print(FilePath(try archive.text(.text, at: "/name")).string, terminator: "")
"""


CALLING = """import Archiving
import Ports
final class Station: Vended {
  static let portMethods = PortMethods(Station.self) { list in
    list.on("name") { _ in "Old Customs House" }
  }
}
let (here, there) = try PortStreams.pair()
let server = try PortConnection(there, root: Station())
let client = try PortConnection(here)
print(try client.root.call("name") as String)
withExtendedLifetime(server) {}
"""


def check_client(what, source, products, compiled, fetched=(), packages=""):
    """Builds and runs a package that takes the library alone, with targets called like ours."""
    folder = SCRATCH / "client"
    shutil.rmtree(folder / "Sources", ignore_errors=True)
    own = {"client", "Files", "Graphics", "Documents", "PropertyLists", "PortolanTexts",
           "PortolanMemory", "PortolanCMemory", *compiled}
    # What was compiled for other clients stands there only where this one compiles it, too.
    for path in (folder / ".build/debug").glob("*.build"):
        if path.name.removesuffix(".build") not in own:
            shutil.rmtree(path)
    for name in ["Files", "Graphics", "Documents", "client"]:
        (folder / "Sources" / name).mkdir(parents=True)
        (folder / "Sources" / name / f"{name}.swift").write_text("")
    (folder / "Sources/client/client.swift").unlink()
    (folder / "Sources/client/main.swift").write_text(source)
    (folder / "Package.swift").write_text(
        MANIFEST % (ROOT, packages, ", ".join(
            f'.product(name: "{name}", package: "{package}")' for name, package in products)))
    result = run("swift", "run", "client", cwd=folder)
    if result.returncode or result.stdout.strip() != "Old Customs House":
        return fail(f"a client of {what}:\n{(result.stdout + result.stderr)[-3000:]}")
    checkouts = {path.name for path in (folder / ".build/checkouts").glob("*")}
    objects = (folder / ".build/debug").glob("*.build/**/*.o")
    built = {
        next(part for part in path.parts if part.endswith(".build") and part != ".build")
        .removesuffix(".build") for path in objects}
    if checkouts - set(fetched) or built - own:
        fail(f"a client of {what} fetches {sorted(checkouts - set(fetched))} "
             f"and compiles {sorted(built - own)}")
    else:
        print(f"a client of {what}: compiles {', '.join(sorted(built - {'client'}))}")


def check_clients():
    # One folder for all, so that what they have in common is compiled once; nothing is there that
    # an earlier run fetched.
    shutil.rmtree(SCRATCH / "client", ignore_errors=True)
    check_client("Archiving", CODING, [("Archiving", "portolan")], ["Archiving"])
    check_client(
        "Ports", CALLING, [("Ports", "portolan"), ("Archiving", "portolan")],
        ["Ports", "Archiving", "PortolanCSockets"])
    check_client(
        "ArchiveInspection", INSPECTING,
        [("ArchiveInspection", "portolan"), ("Archiving", "portolan"),
         ("SystemPackage", "swift-system")],
        ["ArchiveInspection", "Archiving", "SystemPackage", "CSystem"],
        fetched=["swift-system"], packages=SYSTEM)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--modules", type=pathlib.Path, help="those of a build that is up to date")
    options = parser.parse_args()
    check_c_sources()
    check_flags()
    for product in [] if options.modules else PRODUCTS:
        result = run("swift", "build", "--target", product, cwd=ROOT)
        if result.returncode:
            fail(f"build of {product}:\n{result.stdout[-2000:]}")
    modules = (options.modules or ROOT / ".build/debug/Modules").resolve()
    if not failures:
        graphs = symbol_graphs(modules)
        check_interface(graphs, options.update)
        check_documentation(graphs, modules)
        check_clients()
    if failures:
        sys.exit(f"{len(failures)} checks of the library failed")


main()
