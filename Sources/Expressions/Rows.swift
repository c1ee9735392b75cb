/// One attribute of some rows, packed as the blocks of a document hold it.
///
///     kinds   one byte a row: 0 missing, 1 null, 2 false, 3 true, 4 number, 5 text, 6 other JSON
///     ends    the end of row i's text in `bytes` (its start is the end of row i-1)
///     bytes   the UTF-8 text of numbers, strings and JSON values, back to back
package struct PackedColumn: Sendable {
  let kinds: [UInt8]
  let ends: [UInt32]
  let bytes: [UInt8]

  /// - Precondition: The arrays fit together: one kind and one end a row, and the ends rise to
  ///   that of the bytes.
  package init(kinds: [UInt8], ends: [UInt32], bytes: [UInt8]) {
    self.kinds = kinds
    self.ends = ends
    self.bytes = bytes
  }

  enum Kind {
    static let no: UInt8 = 2
    static let yes: UInt8 = 3
    static let number: UInt8 = 4
    static let text: UInt8 = 5
    static let json: UInt8 = 6
  }

  @inline(__always)
  func range(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }

  package func value(_ row: Int) -> Value {
    switch kinds[row] {
    case Kind.no: .truth(false)
    case Kind.yes: .truth(true)
    case Kind.number: number(row).map { .number($0) } ?? .null
    case Kind.text, Kind.json: .text(Text(bytes, range(row)))
    default: .null
    }
  }

  @inline(__always)
  func number(_ row: Int) -> Number? {
    withText(row) { Number($0) }
  }

  /// Calls `body` with the bytes of a row's text; the pointer is good within it only.
  @inline(__always)
  func withText<Result>(_ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range(row)])) }
  }

  /// Calls `body` with each row, its kind and the bytes of its text, which are good within it only.
  @inline(__always)
  func eachText(_ body: (Int, UInt8, UnsafeBufferPointer<UInt8>) -> Void) {
    kinds.withUnsafeBufferPointer { kinds in
      ends.withUnsafeBufferPointer { ends in
        bytes.withUnsafeBufferPointer { bytes in
          var start = 0
          for row in kinds.indices {
            let end = Int(ends[row])
            body(row, kinds[row], UnsafeBufferPointer(rebasing: bytes[start..<end]))
            start = end
          }
        }
      }
    }
  }

  /// The types that occur.
  ///
  /// - Complexity: O(rows), about a nanosecond each.
  var types: ValueTypes {
    var found: UInt16 = 0
    for kind in kinds { found |= 1 << UInt16(kind & 7) }
    var types: ValueTypes = []
    if found & 0b1100 != 0 { types.insert(.truth) }
    if found & 0b1_0000 != 0 { types.insert(.number) }
    if found & 0b110_0000 != 0 { types.insert(.text) }
    return types
  }
}

/// What a feature has besides its attributes.
package enum Quality: String, CaseIterable, Sendable {
  /// The `id` member.
  case id
  /// The name of the layer.
  case layer
  /// `Point`, `MultiPolygon` …
  case type
  /// The coordinates of a point, the centre of the box of others.
  case x, y
  /// Square metres and metres on the earth, or in the units of a plane.
  case area, length
  /// From a line's first vertex to its last, in degrees clockwise from north.
  case bearing
  /// `W,S,E,N`.
  case bbox
  /// The number of vertices.
  case vertices

  package var types: ValueTypes {
    switch self {
    case .id: [.number, .text]
    case .layer, .type, .bbox: .text
    case .x, .y, .area, .length, .bearing, .vertices: .number
    }
  }
}

/// Some rows of a layer: a block.
package protocol ExpressionRows: Sendable {
  var rowCount: Int { get }
  /// The column of an attribute; `nil` if no row has it.
  func packedColumn(_ name: String) -> PackedColumn?
  /// The same laid out for conditions; `nil` where it would be made for one condition only.
  func vector(_ name: String) -> ColumnVector?
  /// A quality of a row, from 0.
  func quality(_ quality: Quality, of row: Int) -> Value
  /// The values of a relation for the rows; `nil` where nothing is known of others.
  func relation(_ relation: Relation) -> BoundExpression.Evaluator?
  /// The way from a row's feature to a position; `nil` if it lies nowhere.
  func distance(of row: Int, x: Double, y: Double) -> Double?
}

extension ExpressionRows {
  package func vector(_ name: String) -> ColumnVector? { nil }
  package func relation(_ relation: Relation) -> BoundExpression.Evaluator? { nil }
  package func distance(of row: Int, x: Double, y: Double) -> Double? { nil }
}
