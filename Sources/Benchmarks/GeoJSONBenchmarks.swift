import Glibc
import PortolanGraphics
import PortolanInterchange

/// Reading GeoJSON into blocks, on all processors, and writing it back, in memory: in seconds of
/// the processors, and reading also by the clock, beside simdjson's parsing of the same text.
///
/// Data come from the folder in `PORTOLAN_DATA` (plain GeoJSON files, unpacked). The peak memory is
/// the process's: run one file at a time with `PORTOLAN_FILE` for an exact figure.
struct GeoJSONBenchmarks: BenchmarkSuite {
  let name = "geojson"

  func run() throws {
    guard let folder = getenv("PORTOLAN_DATA").map({ String(cString: $0) }) else {
      print("geojson: skipped; set PORTOLAN_DATA to a folder of unpacked GeoJSON files")
      return
    }
    let wanted = getenv("PORTOLAN_FILE").map { [String(cString: $0)] }
    let files =
      wanted ?? [
        "ne_110m_countries", "ne_50m_countries", "airports", "cities15000", "gshhg_coast_h",
        "gshhg_coast_f",
      ]
    let peer = try Peer.simdjson()
    for file in files {
      guard let bytes = read("\(folder)/\(file).geojson") else {
        print("geojson: \(file) skipped; not in \(folder)")
        continue
      }
      try measure(file, bytes)
      if let peer { try race(peer, bytes, "\(folder)/\(file).geojson") }
    }
  }

  private func measure(_ file: String, _ bytes: [UInt8]) throws {
    let format = GeoJSONFormat()
    let options = ImportOptions(name: file)
    let before = peak()
    var start = spent()
    let result = try format.read(bytes, options: options) { _ in }
    let first = spent() - start
    let memory = peak()
    var best = first
    for _ in 0..<4 {
      start = spent()
      _ = try format.read(bytes, options: options) { _ in }
      best = min(best, spent() - start)
    }
    var writing = Double.infinity
    var isSame = false
    for _ in 0..<3 {
      var offset = 0
      isSame = true
      start = spent()
      try format.write(result.layers, options: ExportOptions()) { piece in
        isSame =
          isSame && piece.elementsEqual(bytes[offset..<min(offset + piece.count, bytes.count)])
        offset += piece.count
      }
      writing = min(writing, spent() - start)
      isSame = isSame && offset == bytes.count
    }
    print(
      "geojson \(file): \(bytes.count) bytes, \(result.report.featureCount) features, "
        + "\(result.report.vertexCount) vertices: read first \(text(first)) s, "
        + "best \(text(best)) s, "
        + "write \(text(writing)) s, \(isSame ? "same bytes" : "OTHER BYTES"), "
        + "peak \(text(memory)) MiB (before reading \(text(before)))")
    for note in result.report.notes { print("  \(note.text)") }
  }

  /// Reads by the clock in turns with a peer that uses one processor.
  private func race(_ peer: Peer, _ bytes: [UInt8], _ path: String) throws {
    let options = ImportOptions(name: "race")
    var (ours, theirs) = (Double.infinity, Double.infinity)
    for _ in 0..<5 {
      for _ in 0..<3 {
        let start = ContinuousClock.now
        _ = try GeoJSONFormat().read(bytes, options: options) { _ in }
        ours = min(ours, (ContinuousClock.now - start) / .seconds(1))
      }
      let time = try peer.seconds("text", "parse", 1, repetitions: 5, file: path)
      theirs = min(theirs, time)
    }
    print(
      "  by the clock \(text(ours)) s, \(peer.name) \(text(theirs)) s, "
        + "ratio \(text(ours / theirs))")
  }

  private func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let count = Int(lseek(file, 0, SEEK_END))
    lseek(file, 0, SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
      while filled < buffer.count {
        let got = Glibc.read(file, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
        guard got > 0 else { return }
        filled += got
      }
    }
  }

  /// Seconds of processor time: the clock of a shared machine tells little.
  private func spent() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The process's peak memory in MiB.
  private func peak() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return Double(usage.ru_maxrss) / 1024
  }

  private func text(_ value: Double) -> String {
    String((value * 1000).rounded() / 1000)
  }
}
