import Glibc
import PortolanGraphics
import PortolanInterchange

/// Reading GeoJSON into blocks and writing it back, in memory, on one thread, in CPU seconds.
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
    for file in files {
      guard let bytes = read("\(folder)/\(file).geojson") else {
        print("geojson: \(file) skipped; not in \(folder)")
        continue
      }
      try measure(file, bytes)
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
