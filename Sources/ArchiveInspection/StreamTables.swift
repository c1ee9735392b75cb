import Archiving

/// The values of a sequential archive: those of one node stand together.
struct StreamTables: Sendable {
  var values: [StreamValue] = []
  /// The numbers of the type strings of all groups; those of one node stand together.
  var groups: [UInt32] = []

  /// How a value is called.
  func label(_ index: Int, of node: InspectedNode, in stream: Typedstream) -> InspectedLabel {
    let place = Int(node.start) + index
    guard index < Int(node.count), place < values.count else { return .index(index) }
    let value = values[place]
    guard node.groupStart != InspectedNode.absent else { return .index(index) }
    if value.tag == .damage { return .key("damage") }
    let group = Int(node.groupStart) + Int(value.group)
    let isAlone =
      value.item == 0
      && (index + 1 >= Int(node.count) || values[place + 1].group != value.group)
    let types = group < groups.count ? stream.text(ofString: Int(groups[group])) : "?"
    return .position(
      group: Int(value.group), item: isAlone ? nil : Int(value.item),
      type: isAlone ? types : String(UnicodeScalar(value.type)))
  }
}

/// One value of a sequential archive, in sixteen bytes.
struct StreamValue: Sendable {
  enum Tag: UInt8 {
    case none, byte, integer, float, double, data, bytes, symbol, cString, archivedClass, node
    case nothing
    /// Where a stream stops because it is damaged.
    case damage
  }

  /// The number, its bits, or what is referred to; a length and a place for bytes.
  var payload: Int64
  /// The group among those of the node.
  var group: UInt32 = 0
  /// The place in the group.
  var item: UInt16 = 0
  var tagAndForm: UInt8
  /// The code of its type.
  var type: UInt8

  init(_ tag: Tag, _ payload: Int64, type: UInt8, form: NumberForm? = nil) {
    self.payload = payload
    self.type = type
    tagAndForm = tag.rawValue | (form.map { ($0.rawValue & 0x0F) << 4 } ?? 0xF0)
  }

  /// A value that is a place of the file.
  init(_ tag: Tag, _ range: Range<Int>, type: UInt8) {
    self.init(tag, Int64(range.lowerBound) << 32 | Int64(range.count), type: type)
  }

  var tag: Tag { Tag(rawValue: tagAndForm & 0x0F) ?? .none }

  /// How a number is written in the file.
  var form: NumberForm? { NumberForm(rawValue: tagAndForm >> 4) }

  private var range: Range<Int> {
    let start = Int(payload >> 32)
    return start..<start + Int(payload & 0xFFFF_FFFF)
  }

  func value(in stream: Typedstream) -> InspectedValue {
    switch tag {
    case .none: .none
    case .byte, .integer: .integer(payload)
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: payload)))
    case .double: .double(Double(bitPattern: UInt64(bitPattern: payload)))
    case .data: .data(range)
    case .bytes: .bytes(range)
    case .symbol: .symbol(stream.range(ofString: Int(payload)))
    case .cString: .cString(stream.range(ofString: Int(payload & 0xFFFF_FFFF)))
    case .archivedClass: .archivedClass(Int(payload))
    case .node: .node(Int(payload))
    case .nothing: .nothing
    case .damage: .broken(stream.damage?.reason ?? "damaged")
    }
  }
}

extension NumberForm {
  /// The form in which Apple's archiver writes a whole number of a type: unsigned ones of 16 and 32
  /// bits as signed.
  static func usual(_ value: Int64, type: UInt8) -> NumberForm {
    switch type {
    case UInt8(ascii: "s"), UInt8(ascii: "S"):
      let value = Int16(truncatingIfNeeded: value)
      return value == .min ? .twoBytes : .shortest(Int64(value))
    case UInt8(ascii: "i"), UInt8(ascii: "I"):
      return .shortest(Int64(Int32(truncatingIfNeeded: value)))
    case UInt8(ascii: "L") where value >= 0 && value <= Int64(UInt32.max):
      return .shortest(Int64(Int32(truncatingIfNeeded: value)))
    default: return .shortest(value)
    }
  }
}
