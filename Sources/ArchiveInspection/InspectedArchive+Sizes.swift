import Archiving
import PropertyLists

extension InspectedArchive {
  /// How many bytes of the file a node takes itself: its values and containers, but not the
  /// objects that it refers to, and no keys.
  public func byteCount(of node: Int) -> Int {
    switch source {
    case .list(let list, _): listByteCount(node, list)
    case .nib(let nib): nibByteCount(nodes[node], nib)
    case .items(_, let tables): tables.sizes[node]
    case .stream(let stream, _):
      number(of: node).flatMap { stream.range(ofObject: $0) }.map {
        $0.count - nestedByteCount(node, stream: $0)
      } ?? 0
    }
  }

  /// The bytes of objects that appear inside another one's.
  private func nestedByteCount(_ node: Int, stream range: Range<Int>) -> Int {
    guard case .stream(let stream, _) = source else { return 0 }
    var total = 0
    var work = [node]
    while let next = work.popLast() {
      for index in 0..<valueCount(of: next) {
        guard case .node(let child) = value(index, of: next), Int(nodes[child].parent) == next,
          Int(nodes[child].slot) == index
        else { continue }
        if nodes[child].isContainer {
          work.append(child)
        } else if let range = number(of: child).flatMap({ stream.range(ofObject: $0) }) {
          total += range.count
        }
      }
    }
    return total
  }

  private func listByteCount(_ node: Int, _ list: BinaryPropertyList) -> Int {
    var total = 0
    var work = [node]
    while let next = work.popLast() {
      let start = nodes[next].start
      guard let object = try? list.object(start) else { continue }
      switch object {
      case .array(let row), .set(let row):
        total += Self.headSize(row.count) + row.count * list.referenceWidth
        addParts(of: next, list, &total, &work)
      case .dictionary(let keys, _):
        total += Self.headSize(keys.count) + 2 * keys.count * list.referenceWidth
        addParts(of: next, list, &total, &work)
      default: total += (try? list.encodedLeaf(start))??.count ?? 0
      }
    }
    return total
  }

  /// Adds the values that stand in a container itself.
  private func addParts(
    of node: Int, _ list: BinaryPropertyList, _ total: inout Int, _ work: inout [Int]
  ) {
    let rows: (keys: PropertyListReferences?, values: PropertyListReferences)
    switch try? list.object(nodes[node].start) {
    case .array(let row)?, .set(let row)?: rows = (nil, row)
    case .dictionary(let keys, let values)?: rows = (keys, values)
    default: return
    }
    for place in 0..<rows.values.count {
      guard let reference = try? list.reference(place, of: rows.values) else { continue }
      switch try? list.object(reference) {
      case .array?, .set?, .dictionary?:
        guard case .list(_, let containers) = source else { continue }
        let child = containers[Int(reference)]
        guard child != InspectedNode.absent, nodes[Int(child)].parent == UInt32(node) else {
          continue
        }
        // Once, however often the container is referred to.
        let slot = place > Int(nodes[node].count) ? place - 1 : place
        if Int(nodes[Int(child)].slot) == slot { work.append(Int(child)) }
      case .uid?: total += 2
      case nil: continue
      default: total += (try? list.encodedLeaf(reference))??.count ?? 0
      }
    }
  }

  private static func headSize(_ count: Int) -> Int {
    count < 15 ? 1 : count < 256 ? 3 : count < 65_536 ? 4 : 6
  }
}
