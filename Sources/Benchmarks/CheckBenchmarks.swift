import Glibc
import PortolanChecking
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange

/// Checking GeoJSON as text, beside reading the same bytes, in CPU seconds on one thread.
///
/// The file is `gshhg_coast_h.geojson` (61 MB) of the folder in `PORTOLAN_DATA`, or that of
/// `PORTOLAN_FILE`.
struct CheckBenchmarks: BenchmarkSuite {
  let name = "check"

  func run() throws {
    guard let folder = getenv("PORTOLAN_DATA").map({ String(cString: $0) }) else {
      print("check: skipped; set PORTOLAN_DATA to a folder of unpacked GeoJSON files")
      return
    }
    let file = getenv("PORTOLAN_FILE").map { String(cString: $0) } ?? "gshhg_coast_h"
    guard let bytes = read("\(folder)/\(file).geojson") else {
      print("check: \(file) skipped; not in \(folder)")
      return
    }
    var reading = Double.infinity
    var checking = Double.infinity
    var findings = 0
    for _ in 0..<4 {
      var start = spent()
      _ = try GeoJSONFormat().read(bytes, options: ImportOptions(name: file)) { _ in }
      reading = min(reading, spent() - start)
      start = spent()
      findings = try MapText(bytes).check(CheckOptions()).list.findings.count
      checking = min(checking, spent() - start)
    }
    print(
      "check \(file): \(bytes.count) bytes, read \(text(reading)) s, check \(text(checking)) s, "
        + "\(findings) findings kept")
  }

  private func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(file, &piece, piece.count)
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }

  /// The processor time of this process in seconds.
  private func spent() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}
