/// A group of measurements. To add one: a file of its own and a line in `main.swift`'s list.
protocol BenchmarkSuite {
  /// The word on the command line.
  var name: String { get }

  /// Measures and prints one line a figure.
  func run() throws
}
