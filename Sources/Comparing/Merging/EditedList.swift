/// A list of a text, such as the features of a collection or the members of an object, with other
/// elements: what stays keeps its bytes and those around it.
struct EditedList {
  typealias Piece = MergedPiece<[UInt8]>

  let bytes: [UInt8]
  /// The place of the list with the text around it.
  let range: Range<Int>
  /// The places of its elements.
  let elements: [Range<Int>]
  /// Where the first element of an empty list stands.
  let start: Int
  /// The gap between two elements, for a text without an example.
  let gap: [UInt8]

  /// The text of the list with the given elements.
  func text(_ pieces: [Piece]) -> [UInt8] {
    guard let first = elements.first, let last = elements.last else {
      if pieces.isEmpty { return Array(bytes[range]) }
      let end = endOfSpace(start)
      return Array(bytes[range.lowerBound..<start]) + joined(pieces)
        + Array(bytes[end..<range.upperBound])
    }
    return Array(bytes[range.lowerBound..<first.lowerBound]) + joined(pieces)
      + Array(bytes[last.upperBound..<range.upperBound])
  }

  private func joined(_ pieces: [Piece]) -> [UInt8] {
    var text: [UInt8] = []
    let usual = usualGap
    for (number, piece) in pieces.enumerated() {
      if number > 0 {
        if let former = pieces[number - 1].own, let own = piece.own, own > former {
          text += bytes[elements[own - 1].upperBound..<elements[own].lowerBound]
        } else {
          text += usual
        }
      }
      switch piece {
      case .own(let index, nil): text += bytes[elements[index]]
      case .own(_, let other?), .added(let other): text += other
      }
    }
    return text
  }

  /// The gap between the first two elements.
  private var usualGap: [UInt8] {
    guard elements.count > 1 else { return gap }
    return Array(bytes[elements[0].upperBound..<elements[1].lowerBound])
  }

  private func endOfSpace(_ start: Int) -> Int {
    var place = start
    while place < range.upperBound, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
    return place
  }
}

extension EditedList {
  /// The array or the object at a place.
  init(_ json: JSONSpans, _ range: Range<Int>, elements: [Range<Int>]) {
    self.init(
      bytes: json.bytes, range: range, elements: elements, start: range.lowerBound + 1,
      gap: [UInt8(ascii: ",")])
  }
}

/// An element of a merged list.
enum MergedPiece<Value> {
  /// An element of ours, as it is or with another value.
  case own(Int, Value?)
  case added(Value)

  var own: Int? {
    if case .own(let index, _) = self { index } else { nil }
  }
}

/// Changes of parts of a text.
struct TextEdits {
  private var edits: [(range: Range<Int>, text: [UInt8])] = []

  var isEmpty: Bool { edits.isEmpty }

  /// - Precondition: no two ranges overlap.
  mutating func replace(_ range: Range<Int>, by text: [UInt8]) { edits.append((range, text)) }

  /// The text of a range with its changes.
  func applied(to bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    var place = range.lowerBound
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[place..<edit.range.lowerBound]
      result += edit.text
      place = edit.range.upperBound
    }
    return result + bytes[place..<range.upperBound]
  }
}
