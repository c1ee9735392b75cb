import Glibc

/// A group of measurements. To add one: a file of its own and a line in `main.swift`'s list.
protocol BenchmarkSuite {
  /// The word on the command line.
  var name: String { get }

  /// Measures and prints one line a figure.
  func run() throws
}

/// Prints a line at once, into a pipe too: a suite may take minutes.
func print(_ line: String) {
  Swift.print(line)
  fflush(nil)
}
