import PropertyLists

/// Where values of another archive are copied to.
protocol CopyTarget: ~Copyable {
  var writer: BinaryPropertyListWriter { get set }
  /// The reference to the copy of a node.
  mutating func reference(toNode number: UInt32) throws -> PropertyListReference
}

/// Copies values of an archive into another: leaves as they are encoded, containers once each.
final class ValueCopier {
  let graph: ObjectGraph
  private var copies: [PropertyListReference: PropertyListReference] = [:]

  /// - Parameter graph: the archive that values are copied from.
  init(_ graph: ObjectGraph) { self.graph = graph }

  /// Copies a value; containers within it by a work list.
  func copy<Target: CopyTarget & ~Copyable>(
    _ source: PropertyListReference, to target: inout Target
  ) throws -> PropertyListReference {
    let list = graph.list
    var work: [PropertyListReference] = []
    let result = try copyShallow(source, to: &target, &work)
    // Containers that hold themselves or are nested without end are refused before copying.
    if !work.isEmpty { try list.validate(source) }
    while let next = work.popLast() {
      guard let copy = copies[next] else { continue }
      switch try list.object(next) {
      case .array(let row): target.writer.setArray(copy, try copyRow(row, to: &target, &work))
      case .set(let row): target.writer.setSet(copy, try copyRow(row, to: &target, &work))
      case .dictionary(let keys, let values):
        let keys = try copyRow(keys, to: &target, &work)
        let values = try copyRow(values, to: &target, &work)
        target.writer.setDictionary(copy, keys: keys, values: values)
      default: break
      }
    }
    return result
  }

  private func copyRow<Target: CopyTarget & ~Copyable>(
    _ row: PropertyListReferences, to target: inout Target, _ work: inout [PropertyListReference]
  ) throws -> [PropertyListReference] {
    var elements: [PropertyListReference] = []
    elements.reserveCapacity(row.count)
    for index in 0..<row.count {
      let source = try graph.list.reference(index, of: row)
      elements.append(try copyShallow(source, to: &target, &work))
    }
    return elements
  }

  /// Copies a value; a container gets its number and stands on the work list.
  private func copyShallow<Target: CopyTarget & ~Copyable>(
    _ source: PropertyListReference, to target: inout Target, _ work: inout [PropertyListReference]
  ) throws -> PropertyListReference {
    let list = graph.list
    switch try list.resolved(source) {
    case .uid(let number): return try target.reference(toNode: number)
    case .ascii(let range): return target.writer.addString(try list.ascii(range))
    case .array, .set, .dictionary:
      if let known = copies[source] { return known }
      let copy = target.writer.reserve()
      copies[source] = copy
      work.append(source)
      return copy
    default:
      guard let range = try list.encodedLeaf(source),
        let copy = list.reader.withBytes(in: range, { target.writer.addEncodedLeaf($0) })
      else { throw ArchiveError(.corrupt, "a value that runs out of its archive") }
      return copy
    }
  }
}
