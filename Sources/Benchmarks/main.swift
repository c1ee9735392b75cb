/// The benchmarks, one suite a file; run as `swift run -c release portolan-bench [SUITE…]`.
let suites: [any BenchmarkSuite] = [
  ProgramBenchmarks(), GeoJSONBenchmarks(), DocumentBenchmarks(), EditingBenchmarks(),
  TerminalBenchmarks(), RenderBenchmarks(), ArchiveBenchmarks(), XMLBenchmarks(),
  SequentialBenchmarks(), CollectionBenchmarks(), JournalBenchmarks(), SavingBenchmarks(),
  LabelBenchmarks(), BaseMapBenchmarks(), QuestionBenchmarks(), TableBenchmarks(),
  CheckBenchmarks(), ComparingBenchmarks(), ExchangeBenchmarks(), PortBenchmarks(),
  GeometryBenchmarks(), PartBenchmarks(),
]

let wanted = CommandLine.arguments.dropFirst()
for suite in suites where wanted.isEmpty || wanted.contains(suite.name) {
  try suite.run()
}
