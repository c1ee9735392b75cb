import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

@testable import Archiving

/// Decodes every object of an archive by itself; what cannot be decoded is given with its error.
func anyValues(
  _ graph: ObjectGraph
) throws -> (values: [NodeID: Cocoa.Object], faults: [NodeID: any Error]) {
  let unarchiver = try KeyedUnarchiver(graph: graph)
  var values: [NodeID: Cocoa.Object] = [:]
  var faults: [NodeID: any Error] = [:]
  for number in 1..<max(1, graph.nodeCount) {
    let id = NodeID(rawValue: UInt32(number))
    do {
      if case .classRecord = try graph.node(id).kind { continue }
      values[id] = try unarchiver.decodeAnyValue(at: id)
    } catch {
      faults[id] = error
    }
  }
  return (values, faults)
}

extension Cocoa.Object {
  /// Whether a kept object is somewhere within; its identity is that of one archive.
  var holdsUnknown: Bool {
    switch self {
    case .unknown: true
    case .array(let array): array.elements.contains(where: \.holdsUnknown)
    case .set(let set): set.elements.contains(where: \.holdsUnknown)
    case .orderedSet(let set): set.elements.contains(where: \.holdsUnknown)
    case .countedSet(let set): set.members.contains { $0.object.holdsUnknown }
    case .dictionary(let dictionary):
      dictionary.pairs.contains { $0.key.holdsUnknown || $0.value.holdsUnknown }
    default: false
    }
  }
}

@Suite struct AnyValueTests {
  /// The files that hold no values which were made unreadable.
  static let wholeFiles: [String] = {
    let rows = Shared.manifest("corpus/MANIFEST.tsv")
    let redacted = rows.filter { ($0["note"] ?? "").contains("redacted") }.compactMap { $0["file"] }
    return CorpusTests.binaryFiles.filter { !redacted.contains($0) }
  }()

  @Test(
    .enabled(if: Shared.exists("corpus/MANIFEST.tsv"), "no shared/corpus"),
    arguments: wholeFiles)
  func `every value of a genuine archive is decoded, and encoded again is equal`(
    _ file: String
  ) throws {
    let graph = try ObjectGraph(Shared.bytes("corpus/" + file))
    let (values, faults) = try anyValues(graph)
    #expect(faults.isEmpty, "\(faults)")
    for (_, value) in values where !value.holdsUnknown {
      let archiver = KeyedArchiver()
      try archiver.encodeAnyValue(value, forKey: "root")
      let again = try KeyedUnarchiver(archiver.finish()).decodeAnyValue(forKey: "root")
      #expect(again == value)
    }
  }
}
