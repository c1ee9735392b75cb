import Glibc
import PortolanEditing
import PortolanFiles

/// Whether a save can be felt: the map is panned 30 times a second without a save, and while the
/// document is saved and kept as a version, with its journal.
///
/// Once in the run loop by itself, from a key to its frame; once in the real program on a
/// pseudo-terminal, from a key to the last byte, where the system's own work is measured too.
/// `PORTOLAN_DATA` as in the suite `program`.
struct SavingBenchmarks: BenchmarkSuite {
  let name = "saving"

  func run() throws {
    guard let folder = getenv("PORTOLAN_DATA").map({ String(cString: $0) }) else {
      print("saving: skipped; set PORTOLAN_DATA to a folder of unpacked GeoJSON files")
      return
    }
    for file in ["gshhg_coast_h", "gshhg_coast_f"] {
      let source = "\(folder)/\(file).geojson"
      guard access(source, R_OK) == 0 else {
        print("saving: \(file) skipped; no \(source)")
        continue
      }
      try measure(source, name: file, home: "\(folder)/saving-home")
    }
  }

  private func measure(_ source: String, name: String, home: String) throws {
    mkdir(home, 0o700)
    let document = "\(home)/\(name).doc"
    let program = ProgramBenchmarks.program
    _ = try ProgramBenchmarks.runToEnd(
      [program, "import", source, "-o", document, "--force", "-q"])
    defer { unlink(document) }
    try measureLoop(document, name: name, home: home)
    let terminal = try PseudoTerminal(
      command: [program, document], columns: 200, rows: 60, home: home)
    _ = try terminal.read(timeoutSeconds: 60, until: ProgramBenchmarks.holdsMapFrame)
    terminal.drain(quietSeconds: 1)
    for (scale, line) in [("world", ":fit all\r"), ("country", ":zoom to 6\r")] {
      terminal.type(line + ":go to 10 54\r")
      terminal.drain(quietSeconds: 1)
      let quiet = try pan(terminal, atLeastSeconds: 6) { true }
      terminal.type(":new-layer \(scale)\r")
      // The edit's own work is over, its journal is written.
      terminal.drain(quietSeconds: 2)
      let before = inode(document)
      terminal.type(":w\r")
      var saved = 0.0
      let start = now()
      let busy = try pan(terminal, atLeastSeconds: 0) {
        // For a second more: the version is kept, the journal ends.
        if saved == 0, inode(document) != before { saved = now() }
        return saved > 0 && now() > saved + 1
      }
      print(
        "saving pans of \(name), \(scale) scale: without \(Self.text(quiet)), "
          + "while saved \(Self.text(busy)); the save took \(Self.milliseconds(saved - start))")
      terminal.drain(quietSeconds: 1)
    }
    terminal.end()
  }

  private func measureLoop(_ document: String, name: String, home: String) throws {
    let start = now()
    var before: UInt = 0
    var begun = 0.0
    var saved = 0.0
    let screen = PanningScreen([
      .type(":go to 10 54<cr>", thenSeconds: 3),
      .pan { now() > start + 9 },
      .type(":new-layer loop<cr>", thenSeconds: 3),
      .pan {
        before = inode(document)
        begun = now()
        return true
      },
      .type(":w<cr>", thenSeconds: 0),
      .pan {
        if saved == 0, inode(document) != before { saved = now() }
        return saved > 0 && now() > saved + 1
      },
      .type(":q!<cr>", thenSeconds: 0),
    ])
    var options = World.Options()
    options.state = StateFolder(path: "\(home)/state")
    options.keepsEdits = true
    options.guardsDocuments = true
    options.process = Int(getpid())
    let world = World(files: RealFileSystem(), options: options)
    var loop = EditorLoop(desk: Desk(), screen: screen, world: world)
    _ = try loop.run(files: [document])
    let phases = screen.times.phases
    guard phases.count == 3 else {
      throw PseudoTerminal.Failure(description: "the run loop ended early")
    }
    print(
      "saving pans of \(name), run loop: without \(Self.text(phases[0].sorted())), "
        + "while saved \(Self.text(phases[2].sorted())); "
        + "the save took \(Self.milliseconds(saved - begun))")
  }

  /// Presses a key 30 times a second until enough is enough; seconds to the end of each frame.
  private func pan(
    _ terminal: PseudoTerminal, atLeastSeconds: Double, until isEnough: () -> Bool
  ) throws -> [Double] {
    var times: [Double] = []
    let keys = Array("LLHH")
    let begin = now()
    while now() < begin + atLeastSeconds || !isEnough() {
      let start = now()
      terminal.type(String(keys[times.count % keys.count]))
      // Other frames, of progress and messages, draw no map.
      _ = try terminal.read(timeoutSeconds: 30, until: ProgramBenchmarks.holdsMapFrame)
      times.append(now() - start)
      let rest = start + 1 / 30.0 - now()
      if rest > 0 { usleep(useconds_t(rest * 1e6)) }
    }
    return times.sorted()
  }

  private func inode(_ path: String) -> UInt {
    var status = stat()
    return stat(path, &status) == 0 ? UInt(status.st_ino) : 0
  }

  private static func text(_ times: [Double]) -> String {
    let late = times[min(times.count - 1, times.count * 99 / 100)]
    return "p50 \(milliseconds(times[times.count / 2])), p99 \(milliseconds(late)), "
      + "max \(milliseconds(times[times.count - 1])) of \(times.count)"
  }

  private static func milliseconds(_ seconds: Double) -> String {
    "\((seconds * 10_000).rounded() / 10) ms"
  }
}
