import Glibc

/// The whole program from outside: start to the first map, and key to the last byte of its frame.
///
/// Data come from the folder in `PORTOLAN_DATA` (plain GeoJSON files, unpacked); the document of
/// each is made beside it by `portolan import`. A map frame is known by its braille dots, and its
/// end by the end of a synchronized update.
struct ProgramBenchmarks: BenchmarkSuite {
  let name = "program"

  /// The program beside this one.
  static var program: String {
    CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/") + "/portolan"
  }

  func run() throws {
    guard let folder = getenv("PORTOLAN_DATA").map({ String(cString: $0) }) else {
      print("program: skipped; set PORTOLAN_DATA to a folder of unpacked GeoJSON files")
      return
    }
    let program = Self.program
    for file in ["ne_110m_countries", "gshhg_coast_h", "gshhg_coast_f"] {
      let source = "\(folder)/\(file).geojson"
      guard access(source, R_OK) == 0 else {
        print("program: \(file) skipped; no \(source)")
        continue
      }
      let document = "\(folder)/\(file).doc"
      try measureImport(program, source, document)
      try measureStart(program, source)
      try measureStart(program, document)
      try measureKeys(program, document)
      try measurePictures(program, source, document)
    }
  }

  private func measureImport(_ program: String, _ source: String, _ document: String) throws {
    let start = now()
    let usage = try Self.runToEnd([program, "import", source, "-o", document, "--force", "-q"])
    let size = fileSize(source) / 1_048_576
    print(
      "program import \(base(source)): \(text(now() - start)) s, peak \(text(usage)) MiB, "
        + "\(text(usage / max(size, 0.001))) x the file")
  }

  private func measureStart(_ program: String, _ path: String) throws {
    var times: [Double] = []
    for _ in 0..<5 {
      let start = now()
      let terminal = try PseudoTerminal(command: [program, path], columns: 200, rows: 60)
      _ = try terminal.read(timeoutSeconds: 60, until: Self.holdsMapFrame)
      times.append(now() - start)
      terminal.type(":q!\r")
      terminal.end()
    }
    times.sort()
    print("program first map \(base(path)): median \(text(times[2])) s, max \(text(times[4])) s")
  }

  /// Draws pictures of 2000x1200, from start to end of the program; in turns with it
  /// `gdal_rasterize` fills a grid of that size from a FlatGeobuf, without projection, lines and
  /// texts.
  private func measurePictures(_ program: String, _ source: String, _ document: String) throws {
    let peerInput = "\(document).fgb"
    unlink(peerInput)
    let hasPeer = (try? Self.runToEnd(["ogr2ogr", "-f", "FlatGeobuf", peerInput, source])) != nil
    if !hasPeer { print("program: without gdal_rasterize; install gdal-bin") }
    for format in ["svg", "png", "pdf"] {
      var times: [Double] = []
      var peerTimes: [Double] = []
      for _ in 0..<5 {
        times.append(
          try Self.secondsToEnd([
            program, "render", document, "-o", "\(document).\(format)", "--size", "2000x1200",
            "--force",
          ]))
        guard hasPeer, format == "png" else { continue }
        let grid = "\(document).tif"
        unlink(grid)
        peerTimes.append(
          try Self.secondsToEnd([
            "gdal_rasterize", "-q", "-burn", "255", "-ot", "Byte", "-ts", "2000", "1200", peerInput,
            grid,
          ]))
      }
      times.sort()
      peerTimes.sort()
      print(
        "program \(format) \(base(document)): least \(text(times[0])) s, "
          + "median \(text(times[2])) s"
          + (peerTimes.first.map { "; gdal_rasterize least \(text($0)) s" } ?? ""))
    }
  }

  private static func secondsToEnd(_ command: [String]) throws -> Double {
    let start = now()
    _ = try runToEnd(command)
    return now() - start
  }

  /// Zooms and pans at world and country scale, one key at a time.
  private func measureKeys(_ program: String, _ path: String) throws {
    let terminal = try PseudoTerminal(command: [program, path], columns: 200, rows: 60)
    _ = try terminal.read(timeoutSeconds: 60, until: Self.holdsMapFrame)
    terminal.drain(quietSeconds: 0.3)
    for (scale, approach) in [("world", ""), ("country", "++++++++++")] {
      for key in approach { try press(String(key), on: terminal) }
      var times: [Double] = []
      for key in String(repeating: "LLJJHHKK", count: 15) {
        times.append(try press(String(key), on: terminal))
      }
      times.sort()
      let p99 = times[min(times.count - 1, times.count * 99 / 100)]
      print(
        "program key to last byte, \(scale) scale, \(base(path)): "
          + "p50 \(text(times[times.count / 2] * 1000)) ms, p99 \(text(p99 * 1000)) ms")
    }
    print("program editor memory \(base(path)): peak \(text(terminal.end())) MiB")
  }

  @discardableResult
  private func press(_ key: String, on terminal: PseudoTerminal) throws -> Double {
    let start = now()
    terminal.type(key)
    _ = try terminal.read(until: Array("\u{1B}[?2026l".utf8), timeoutSeconds: 10)
    return now() - start
  }

  /// Whether the output holds a braille pattern and, after it, the end of an update.
  static func holdsMapFrame(_ output: [UInt8], _ from: Int) -> Bool {
    guard
      let dot = output.indices.first(where: { index in
        output[index] == 0xE2 && index + 1 < output.count
          && (0xA0...0xA3).contains(output[index + 1])
      })
    else { return false }
    return output[dot...].firstRange(of: Array("\u{1B}[?2026l".utf8)) != nil
  }

  /// Runs a command without a terminal and gives its peak memory in MiB.
  static func runToEnd(_ command: [String]) throws -> Double {
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    guard posix_spawnp(&child, command[0], nil, nil, &words, environ) == 0 else {
      throw PseudoTerminal.Failure(description: "\(command[0]) does not start")
    }
    var status: Int32 = 0
    var usage = rusage()
    wait4(child, &status, 0, &usage)
    guard status == 0 else {
      throw PseudoTerminal.Failure(description: "\(command.joined(separator: " ")): \(status)")
    }
    return Double(usage.ru_maxrss) / 1024
  }

  /// Runs a command and gives its processor time in seconds, with that of processes it starts.
  static func processorTime(_ command: [String]) throws -> Double {
    func used() -> Double {
      var usage = rusage()
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
      return [usage.ru_utime, usage.ru_stime].reduce(0) {
        $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
      }
    }
    let before = used()
    _ = try runToEnd(command)
    return used() - before
  }

  private func fileSize(_ path: String) -> Double {
    var status = stat()
    return stat(path, &status) == 0 ? Double(status.st_size) : 0
  }

  private func base(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }

  private func text(_ value: Double) -> String {
    String((value * 1000).rounded() / 1000)
  }
}
