import Glibc
import PortolanFiles
import PortolanTerminals

/// Frames (write, compare, print) at 200x60, and reading and saving a large file.
///
/// The file is made in the folder in `TMPDIR` or `/var/tmp`, 250 MB, and removed again.
struct TerminalBenchmarks: BenchmarkSuite {
  let name = "terminal"

  private let size = CellSize(columns: 200, rows: 60)

  func run() throws {
    let line = String(repeating: "Stockholm 17.94 ", count: 13)
    let wide = String(repeating: "Zürich 東京 ⣿⡇ é ", count: 13)
    let blank = Frame(size: size)
    measure("write 12,000 cells of ASCII") {
      var frame = blank
      for row in 0..<60 { frame.write(line, at: 0, row: row) }
      return frame.cells.count
    }
    measure("write 12,000 cells of mixed text") {
      var frame = blank
      for row in 0..<60 { frame.write(wide, at: 0, row: row) }
      return frame.cells.count
    }
    var full = blank
    for row in 0..<60 {
      full.write(row % 2 == 0 ? line : wide, at: 0, row: row)
      full.restyle(CellRect(column: 0, row: row, columns: 200, rows: 1)) { style in
        style.foreground = TerminalColour(red: UInt8(row * 4), green: 9, blue: 200)
      }
    }
    var other = full
    other.write("x", at: 199, row: 59)
    measure("compare two frames that differ in the last cell") { full == other ? 1 : 0 }
    measure("copy a frame into another") {
      var frame = blank
      frame.copy(full, toColumn: 1, row: 1)
      return frame.cells.count
    }
    measure("print as text") { full.plainText().utf8.count }
    measure("print as ANSI, 256 colours") { full.ansiText(.indexed).utf8.count }
    measure("reduce a colour to 256") {
      Palette.indexed(TerminalColour(red: 17, green: 90, blue: 211))
    }
    try measureFiles()
  }

  private func measureFiles() throws {
    let files = RealFileSystem()
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    let path = "\(folder)/portolan-bench-\(getpid())"
    let bytes = [UInt8](repeating: 0x5A, count: 250_000_000)
    defer { try? files.remove(path, in: nil) }
    var start = now()
    _ = try files.save(bytes, to: path, expecting: .absent)
    print("terminal save 250 MB, durable: \(text(now() - start)) s")
    for _ in 0..<3 {
      start = now()
      let count = try files.read(path, limit: 1 << 30).count
      print("terminal read \(count / 1_000_000) MB: \(text(now() - start)) s")
    }
  }

  /// The mean of as many runs as fit into a fifth of a second.
  private func measure(_ what: String, _ body: () -> Int) {
    var runs = 0
    var sum = body()
    let start = now()
    while now() - start < 0.2 {
      for _ in 0..<8 { sum &+= body() }
      runs += 8
    }
    let microseconds = (now() - start) / Double(runs) * 1_000_000
    print("terminal \(what): \(text(microseconds)) µs (\(sum == 0 ? "-" : "ok"))")
  }

  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func text(_ value: Double) -> String {
    let thousandths = Int((value * 1000).rounded())
    let rest = String(1000 + thousandths % 1000).dropFirst()
    return "\(thousandths / 1000).\(rest)"
  }
}
