/// Points, sizes, rectangles, insets and transforms of compiled nibs: data whose first byte is the
/// type of the numbers behind it.
extension InspectedArchive {
  /// The two, four or six numbers that data of a compiled nib are, from the first; `nil` for other
  /// data. The shortest texts that read back, of JSON or for people.
  func packedNumbers(_ range: Range<Int>, forPeople: Bool) -> [String]? {
    guard case .nib = source, [9, 17, 25, 33, 49].contains(range.count) else { return nil }
    let bytes = slice(range)
    // The types that a nib has for single numbers.
    guard let type = bytes.first, type == 6 || type == 7 else { return nil }
    let width = type == 6 ? 4 : 8
    let count = (bytes.count - 1) / width
    guard bytes.count == 1 + count * width, count.isMultiple(of: 2), count <= 6 else { return nil }
    var texts: [String] = []
    for place in 0..<count {
      let start = 1 + place * width
      let bits = bytes[start..<start + width].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if type == 6 {
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        guard value.isFinite else { return nil }
        texts.append(forPeople ? InspectionText.number(value) : value.description)
      } else {
        let value = Double(bitPattern: bits)
        guard value.isFinite else { return nil }
        texts.append(forPeople ? InspectionText.number(value) : value.description)
      }
    }
    return texts
  }
}
