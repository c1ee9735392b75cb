import Archiving
import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

/// Archives that other programs made: every binary one is read as a graph, whole.
@Suite(.enabled(if: Shared.exists("corpus/MANIFEST.tsv"), "no shared/corpus"))
struct CorpusTests {
  static let binaryFiles: [String] = {
    return Shared.manifest("corpus/MANIFEST.tsv").compactMap { row in
      guard let file = row["file"], row["format"] == "bplist00",
        !(row["note"] ?? "").contains("malformed"),
        file.hasPrefix("keyed/") || file.hasPrefix("generated/"), Shared.exists("corpus/" + file)
      else { return nil }
      return file
    }
  }()

  @Test func `there are files to read`() {
    #expect(Self.binaryFiles.count > 90)
  }

  @Test(arguments: binaryFiles)
  func `every node and value of a genuine archive is read`(_ file: String) throws {
    let graph = try ObjectGraph(Shared.bytes("corpus/" + file))
    try graph.list.validate()
    #expect(try !graph.top.isEmpty)
    var objects = 0
    for number in 0..<graph.nodeCount {
      let node = try graph.node(NodeID(rawValue: UInt32(number)))
      if case .object = node.kind {
        objects += 1
        #expect(!node.classChain.isEmpty)
      }
      for field in node.fields { try look(at: field.value, of: graph) }
    }
    _ = objects
  }

  @Test(arguments: binaryFiles)
  func `a genuine archive that is kept and written back is equal`(_ file: String) throws {
    let graph = try ObjectGraph(Shared.bytes("corpus/" + file))
    for field in try graph.top {
      guard case .reference(let node) = try graph.content(of: field.value), node.rawValue != 0
      else { continue }
      let archiver = KeyedArchiver()
      try archiver.encodeObject(UnknownObject(graph: graph, node: node), forKey: "root")
      let again = try ObjectGraph(archiver.finish())
      guard case .reference(let copy) = try again.content(of: try #require(again.top.first).value)
      else {
        Issue.record("no root")
        return
      }
      try expectEqual(graph, node, again, copy)
    }
  }

  private func look(at value: ObjectGraph.Value, of graph: ObjectGraph) throws {
    var work = [value]
    while let next = work.popLast() {
      switch try graph.content(of: next) {
      case .array(let values), .set(let values): work += values
      case .dictionary(let fields): work += fields.map(\.value)
      default: break
      }
    }
  }
}

/// Compares two graphs from two nodes on, without recursion.
func expectEqual(
  _ first: ObjectGraph, _ firstNode: NodeID, _ second: ObjectGraph, _ secondNode: NodeID
) throws {
  var partners: [NodeID: NodeID] = [firstNode: secondNode]
  var work = [(firstNode, secondNode)]
  var values: [(ObjectGraph.Value, ObjectGraph.Value)] = []
  while let (left, right) = work.popLast() {
    let (one, two) = (try first.node(left), try second.node(right))
    #expect(one.classChain == two.classChain)
    #expect(one.fields.map(\.key) == two.fields.map(\.key))
    switch (one.kind, two.kind) {
    case (.bare(let left), .bare(let right)): values.append((left, right))
    case (.none, .none), (.object, .object), (.classRecord, .classRecord): break
    default: Issue.record("\(left) and \(right) are of different kinds")
    }
    values += zip(one.fields, two.fields).map { ($0.value, $1.value) }
    while let (left, right) = values.popLast() {
      let (one, two) = (try first.content(of: left), try second.content(of: right))
      switch (one, two) {
      case (.reference(let left), .reference(let right)):
        if let known = partners[left] {
          #expect(known == right)
        } else {
          partners[left] = right
          work.append((left, right))
        }
      case (.array(let left), .array(let right)), (.set(let left), .set(let right)):
        #expect(left.count == right.count)
        values += zip(left, right)
      case (.dictionary(let left), .dictionary(let right)):
        #expect(left.map(\.key) == right.map(\.key))
        values += zip(left, right).map { ($0.value, $1.value) }
      case (.data(let left), .data(let right)):
        #expect(first.list.reader.bytes[left] == second.list.reader.bytes[right])
      default:
        #expect("\(one)" == "\(two)")
      }
    }
  }
}
