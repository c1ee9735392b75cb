import Archiving
import PropertyLists

extension InspectedArchive {
  /// How many bytes of the file a node takes itself: its values and containers, but not the
  /// objects that it refers to, and no keys.
  public func byteCount(of node: Int) -> Int {
    switch source {
    case .list(let list, _):
      // No list has more values than this: see `PropertyListSurvey`.
      listByteCount(node, list, valueCountMax: 8 * list.reader.count + 1_000_000) ?? 0
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

  /// The same where it is known at once; `nil` of an object with very many values in an archive
  /// that nothing went through.
  func quickByteCount(of node: Int) -> Int? {
    guard unsurveyed != nil, case .list(let list, _) = source else { return byteCount(of: node) }
    return listByteCount(node, list, valueCountMax: 1_024)
  }

  /// - Returns: `nil` where there are more values than that to add up.
  private func listByteCount(
    _ node: Int, _ list: BinaryPropertyList, valueCountMax: Int
  ) -> Int? {
    var sum = PartSum()
    sum.work = [node]
    var valuesLeft = valueCountMax
    while let next = sum.work.popLast() {
      let start = start(of: next)
      guard let object = try? list.object(start) else { continue }
      switch object {
      case .array(let row), .set(let row):
        sum.byteCount += Self.headSize(row.count) + row.count * list.referenceWidth
        valuesLeft -= row.count
      case .dictionary(let keys, _):
        sum.byteCount += Self.headSize(keys.count) + 2 * keys.count * list.referenceWidth
        valuesLeft -= keys.count
      default:
        sum.byteCount += (try? list.encodedLeaf(start))??.count ?? 0
        continue
      }
      guard valuesLeft >= 0 else { return nil }
      addParts(of: next, list, to: &sum)
    }
    return sum.byteCount
  }

  /// The bytes of an object, part by part.
  private struct PartSum {
    var byteCount = 0
    /// The containers to be added.
    var work: [Int] = []
    /// The containers that were met, of a list that nothing went through.
    var met: Set<Int> = []
  }

  /// Adds the values that stand in a container itself.
  private func addParts(of node: Int, _ list: BinaryPropertyList, to sum: inout PartSum) {
    let rows: (keys: PropertyListReferences?, values: PropertyListReferences)
    switch try? list.object(start(of: node)) {
    case .array(let row)?, .set(let row)?: rows = (nil, row)
    case .dictionary(let keys, let values)?: rows = (keys, values)
    default: return
    }
    for place in 0..<rows.values.count {
      guard let reference = try? list.reference(place, of: rows.values) else { continue }
      switch try? list.object(reference) {
      case .array?, .set?, .dictionary?:
        if let unsurveyed {
          let child = unsurveyed.node(of: reference)
          if sum.met.insert(child).inserted { sum.work.append(child) }
          continue
        }
        guard case .list(_, let containers) = source else { continue }
        let child = containers[Int(reference)]
        guard child != InspectedNode.absent, nodes[Int(child)].parent == UInt32(node) else {
          continue
        }
        // Once, however often the container is referred to.
        let slot = place > Int(nodes[node].count) ? place - 1 : place
        if Int(nodes[Int(child)].slot) == slot { sum.work.append(Int(child)) }
      case .uid?: sum.byteCount += 2
      case nil: continue
      default: sum.byteCount += (try? list.encodedLeaf(reference))??.count ?? 0
      }
    }
  }

  private static func headSize(_ count: Int) -> Int {
    count < 15 ? 1 : count < 256 ? 3 : count < 65_536 ? 4 : 6
  }
}
