import Archiving
import PropertyLists

/// Looks at every node and value of a keyed archive, and writes the graph again.
func probeGraph(_ bytes: [UInt8]) {
  guard let graph = try? ObjectGraph(bytes) else { return }
  let isWhole = walk(graph)
  if let again = try? GraphRewriter(graph).finish() {
    expect(again.nodeCount == graph.nodeCount, "a rewritten graph of another size")
    if isWhole { expect(walk(again), "a rewritten graph that cannot be read") }
  }
  for field in (try? graph.top) ?? [] {
    guard case .reference(let node) = try? graph.content(of: field.value) else { continue }
    let archiver = KeyedArchiver()
    guard
      (try? archiver.encodeObject(UnknownObject(graph: graph, node: node), forKey: "root")) != nil,
      let kept = try? archiver.finish()
    else { continue }
    expect((try? ObjectGraph(kept)) != nil, "a kept object that cannot be read")
  }
}

/// Whether every node and value of a graph is sound.
private func walk(_ graph: ObjectGraph) -> Bool {
  var isWhole = true
  var work = 8 * graph.list.reader.count + 1_000
  var values = ((try? graph.top) ?? []).map(\.value)
  for number in 0..<graph.nodeCount where work > 0 {
    guard let node = try? graph.node(NodeID(rawValue: UInt32(number))) else {
      isWhole = false
      continue
    }
    work -= 1 + node.classChain.count + node.fields.count
    if case .bare(let value) = node.kind { values.append(value) }
    values += node.fields.map(\.value)
    while let value = values.popLast(), work > 0 {
      work -= 1
      switch try? graph.content(of: value) {
      case .array(let elements), .set(let elements): values += elements
      case .dictionary(let fields): values += fields.map(\.value)
      case nil: isWhole = false
      default: break
      }
    }
  }
  return isWhole && work > 0
}
