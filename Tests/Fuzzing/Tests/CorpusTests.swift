import Foundation
import PortolanProbes
import PortolanTestSupport
import Testing

/// Inputs that the fuzzers found worth keeping, and every one that ever broke a reader.
struct FuzzingCorpusTests {
  /// One folder a probe, below `Tests/Fuzzing/Corpus`.
  static let folder = Shared.package.appendingPathComponent("Tests/Fuzzing/Corpus")

  static func inputs(_ probe: String) -> [URL] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder.appendingPathComponent(probe), includingPropertiesForKeys: nil)
    return (files ?? []).sorted { $0.path < $1.path }
  }

  @Test(arguments: Probe.all.map(\.name))
  func `every kept input is survived`(_ name: String) throws {
    let probe = try #require(Probe.named(name))
    let inputs = Self.inputs(name)
    #expect(inputs.count >= 3)
    for input in inputs { probe.run([UInt8](try Data(contentsOf: input))) }
  }

  @Test func `the kept inputs are small`() throws {
    var total = 0
    for probe in Probe.all {
      for input in Self.inputs(probe.name) {
        total += try input.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      }
    }
    #expect(total < 200 << 10)
  }

  /// Writes the sound files for a fuzzer to begin with, where it is asked to.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["PORTOLAN_SEEDS"] != nil, "not asked for"))
  func `the sound files are written as seeds`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["PORTOLAN_SEEDS"])
    for file in GoodFile.all {
      let folder = URL(fileURLWithPath: path).appendingPathComponent(file.probe)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(file.bytes).write(to: folder.appendingPathComponent(file.name))
    }
  }
}
