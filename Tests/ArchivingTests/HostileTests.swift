import Archiving
import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

/// A document of the hostile corpus: nodes with a parent, children and a name.
final class HostileDocument: Coding {
  let title: String
  let nodes: [HostileNode]
  let size: [Int]
  let meta: [String: String]

  static var archivedClass: ArchivedClass { "MapDocument" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(title, forKey: "title")
    try coder.encodeObjects(nodes, forKey: "nodes")
    try coder.encodeStringDictionary(meta, forKey: "meta")
  }

  init(coder: any DecodingCoder) throws {
    title = try coder.decodeString(forKey: "title")
    nodes = try coder.decodeObjects(HostileNode.self, forKey: "nodes")
    size = try ["width", "height"].map { try coder.decodeIntIfPresent(forKey: $0) ?? 0 }
    meta = try coder.decodeStringDictionaryIfPresent(forKey: "meta") ?? [:]
  }
}

final class HostileNode: Coding {
  let name: String
  let ident: Int
  let position: [Double]
  var children: [HostileNode]
  weak var parent: HostileNode?

  static var archivedClass: ArchivedClass { "MapNode" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeInt(ident, forKey: "ident")
    try coder.encodeObjects(children, forKey: "children")
    try coder.encodeConditionalObject(parent, forKey: "parent")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    ident = try coder.decodeIntIfPresent(forKey: "ident") ?? 0
    position = try ["x", "y"].map { try coder.decodeDoubleIfPresent(forKey: $0) ?? 0 }
    children = try coder.decodeObjectsIfPresent(HostileNode.self, forKey: "children") ?? []
    try coder.decodeReference(HostileNode.self, forKey: "parent") { [weak self] in
      self?.parent = $0
    }
  }
}

@Suite(.enabled(if: Shared.exists("hostile/MANIFEST.tsv"), "no shared/hostile"))
struct HostileTests {
  static let rows = Shared.manifest("hostile/MANIFEST.tsv")

  static func files(_ layer: String) -> [(String, String)] {
    rows.compactMap { row in
      guard let file = row["file"], let expect = row["expect"], file.hasPrefix(layer) else {
        return nil
      }
      return (file, expect)
    }
  }

  @Test(arguments: files("bplist/"))
  func `a property list is accepted or refused as the manifest says`(
    _ file: String, _ expect: String
  ) throws {
    let bytes = try Shared.bytes("hostile/" + file)
    let outcome = Result { try BinaryPropertyList(bytes).validate() }
    switch (expect, outcome) {
    case ("reject", .success): Issue.record("\(file) was accepted")
    case ("accept", .failure(let error)): Issue.record("\(file) was refused: \(error)")
    default: break
    }
  }

  @Test(arguments: files("keyed/") + files("semantic/"))
  func `a keyed archive never traps and is decoded only where it may be`(
    _ file: String, _ expect: String
  ) throws {
    let bytes = try Shared.bytes("hostile/" + file)
    let outcome = Result { () throws -> String in
      let document = try KeyedUnarchiver.unarchive(HostileDocument.self, from: bytes)
      return document.title
    }
    // What is wrong by the rules of that schema alone is not for the coder to find.
    switch (expect, outcome) {
    case ("reject", .success) where file.hasPrefix("keyed/"):
      Issue.record("\(file) was accepted")
    case ("accept", .failure(let error)): Issue.record("\(file) was refused: \(error)")
    default: break
    }
    _ = try? walk(bytes)
  }

  /// Looks at every node and value of a graph.
  private func walk(_ bytes: [UInt8]) throws {
    let graph = try ObjectGraph(bytes)
    for number in 0..<graph.nodeCount {
      guard let node = try? graph.node(NodeID(rawValue: UInt32(number))) else { continue }
      for field in node.fields { _ = try? graph.content(of: field.value) }
    }
  }
}
