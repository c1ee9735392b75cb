import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanExpressions

/// Random expressions have the values that Python gives them; `oracle.py` makes both.
@Suite struct OracleTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test func storedCases() throws {
    let data = try Data(contentsOf: Self.folder.appendingPathComponent("cases.json"))
    #expect(try judge(data) >= 300)
  }

  @Test(arguments: Seeds.some(3)) func newCases(seed: UInt64) throws {
    let python = URL(fileURLWithPath: "/usr/bin/python3")
    guard FileManager.default.isExecutableFile(atPath: python.path) else { return }
    let process = Process()
    process.executableURL = python
    process.arguments = [
      Self.folder.appendingPathComponent("oracle.py").path, String(seed), "400",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(try judge(data) == 400)
  }

  /// Compares all cases; returns how many there are.
  private func judge(_ data: Data) throws -> Int {
    let read = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let columns = try #require(read["columns"] as? [String: [Any]])
    var table = Table(columns.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map(Self.value)) })
    let cases = try #require(read["cases"] as? [[String: Any]])
    for item in cases {
      let text = try #require(item["text"] as? String)
      let expected = try #require(item["values"] as? [Any]).map(Self.value)
      let values = try table.values(text)
      #expect(values == expected, "\(text)")
      guard expected.allSatisfy({ $0.isTruthOrNull }), expected.contains(.truth(true)) else {
        continue
      }
      // A condition is asked of a whole block as well, of texts and of columns laid out for it.
      for hasVectors in [false, true] {
        table.hasVectors = hasVectors
        let rows = expected.indices.filter { expected[$0] == .truth(true) }
        #expect(try table.rows(text) == rows, "\(text)")
      }
    }
    return cases.count
  }

  private static func value(_ any: Any) -> Value {
    if let tagged = any as? [String: String] {
      if let text = tagged["t"] { return .text(text) }
      if let whole = tagged["i"].flatMap({ Int128($0) }) { return .number(.whole(whole)) }
      if let real = tagged["r"].flatMap({ Double($0) }) { return .number(.real(real)) }
    }
    if let truth = any as? Bool { return .truth(truth) }
    return .null
  }
}

extension Value {
  fileprivate var isTruthOrNull: Bool {
    switch self {
    case .null, .truth: true
    case .number, .text: false
    }
  }
}
