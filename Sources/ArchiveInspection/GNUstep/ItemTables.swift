import Archiving
import PropertyLists

/// The values of a GNUstep archive: those of one node stand together.
struct ItemTables: Sendable {
  /// A value, with the code of its C type.
  struct Item: Sendable {
    var value: InspectedValue
    var type: UInt8
  }

  /// The bytes of the archive, and behind them those that it has in another form.
  let reader: ByteReader
  let items: [Item]
  /// How many bytes of the archive each node takes itself.
  let sizes: [Int]

  /// A value of a node; those of an array of numbers are read where they lie.
  func value(_ index: Int, of node: InspectedNode) -> InspectedValue {
    let place = Int(node.start) + index
    guard index >= 0, index < Int(node.count) else { return .broken("no value \(index)") }
    if node.kind == .array {
      let (type, width) = Self.element(of: node)
      return number(type, width: width, at: Int(node.start) + index * width)
    }
    return place < items.count ? items[place].value : .broken("no value \(index)")
  }

  /// How a value is called.
  func label(_ index: Int, of node: InspectedNode, among nodes: [InspectedNode]) -> InspectedLabel {
    let place = Int(node.start) + index
    guard node.kind != .array, index < Int(node.count), place < items.count else {
      return .index(index)
    }
    let type = Self.type(of: items[place], among: nodes)
    return .position(group: index, item: nil, type: type)
  }

  /// A C type as it is written: of an array with the number of its elements.
  private static func type(of item: Item, among nodes: [InspectedNode]) -> String {
    let code = String(Unicode.Scalar(item.type))
    switch item.value {
    case .bytes(let range), .data(let range):
      // Other data are one number.
      return code == "c" || code == "C" ? "[\(range.count)\(code)]" : code
    case .utf16(let range): return "[\(range.count / 2)\(code)]"
    case .node(let node) where nodes[node].kind == .array: return "[\(nodes[node].count)\(code)]"
    default: return code
    }
  }

  // MARK: Numbers

  /// The node of an array of numbers.
  static func array(_ type: UInt8, width: Int, _ range: Range<Int>) -> InspectedNode {
    var node = InspectedNode(
      kind: .array, start: UInt32(truncatingIfNeeded: range.lowerBound),
      count: UInt32(truncatingIfNeeded: range.count / max(1, width)))
    node.groupStart = UInt32(type) | UInt32(truncatingIfNeeded: width) << 8
    return node
  }

  /// The type and the width of the numbers of an array.
  private static func element(of node: InspectedNode) -> (type: UInt8, width: Int) {
    (UInt8(truncatingIfNeeded: node.groupStart), Int(node.groupStart >> 8))
  }

  private func number(_ type: UInt8, width: Int, at place: Int) -> InspectedValue {
    guard width <= 8 else { return Self.wide(place..<place + width, type, reader) }
    guard let bits = reader.bigEndian(at: place, width: width) else {
      return .broken("no number at byte \(place)")
    }
    switch Unicode.Scalar(type) {
    case "f": return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case "d": return .double(Double(bitPattern: bits))
    case "B": return .bool(bits != 0)
    case "S", "I", "L", "Q": return Self.whole(bits)
    default:
      let unused = UInt64(64 - 8 * width)
      return .integer(Int64(bitPattern: bits << unused) >> Int64(unused))
    }
  }

  /// A whole number of sixteen bytes; one without a sign that is too large is shown as bytes.
  static func wide(_ range: Range<Int>, _ type: UInt8, _ reader: ByteReader) -> InspectedValue {
    let isSigned = type >= UInt8(ascii: "a")
    return isSigned || reader.byte(at: range.lowerBound).map { $0 < 0x80 } ?? false
      ? .wide(range) : .data(range)
  }

  /// A whole number without a sign.
  static func whole(_ value: UInt64) -> InspectedValue {
    Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
  }
}
