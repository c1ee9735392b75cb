import PropertyLists

/// The descriptions of classes in a keyed archive.
struct ClassRecords {
  private let list: BinaryPropertyList
  /// The names of classes by their strings.
  private var knownNames: [PropertyListReference: (text: String, isCut: Bool)] = [:]

  init(_ list: BinaryPropertyList) { self.list = list }

  /// How many names of a chain are kept, and how many characters of each: those of generic types of
  /// Swift have hundreds.
  private static let chainMax = 32
  private static let nameMax = 1_024

  /// The class that a record describes; `nil` where it describes none.
  ///
  /// - Parameter number: the number of the record among the objects of the archive.
  mutating func archivedClass(_ record: PropertyListReference, number: Int) -> InspectedClass? {
    guard case .dictionary(let keys, let values)? = try? list.object(record) else { return nil }
    var name: String?
    var archived = InspectedClass(chain: [], number: number)
    for place in 0..<keys.count {
      guard let key = try? list.reference(place, of: keys),
        let value = try? list.reference(place, of: values)
      else { continue }
      if list.isText(key, "$classname") {
        name = self.name(value, &archived.isCut)
      } else if list.isText(key, "$classes") {
        archived.chain = names(value, &archived.isCut)
        if archived.chain.isEmpty { archived.isCut = true }
      } else if list.isText(key, "$classhints") {
        archived.hints = names(value, &archived.isCut)
        if archived.hints.isEmpty { archived.isCut = true }
      } else {
        archived.isCut = true
      }
    }
    guard let name else { return nil }
    if archived.chain.first != name {
      if !archived.chain.isEmpty { archived.isCut = true }
      archived.chain.insert(name, at: 0)
    }
    return archived
  }

  /// The texts of an array.
  private mutating func names(_ array: PropertyListReference, _ isCut: inout Bool) -> [String] {
    guard case .array(let row)? = try? list.object(array) else { return [] }
    if row.count > Self.chainMax { isCut = true }
    var names: [String] = []
    for place in 0..<min(row.count, Self.chainMax) {
      guard let reference = try? list.reference(place, of: row),
        let name = name(reference, &isCut)
      else {
        isCut = true
        continue
      }
      names.append(name)
    }
    return names
  }

  /// The text of a name; each is made once, for many classes may share it.
  private mutating func name(_ reference: PropertyListReference, _ isCut: inout Bool) -> String? {
    if let known = knownNames[reference] {
      if known.isCut { isCut = true }
      return known.text
    }
    var isLong = false
    guard let text = readName(reference, &isLong) else { return nil }
    knownNames[reference] = (text, isLong)
    if isLong { isCut = true }
    return text
  }

  private func readName(_ reference: PropertyListReference, _ isCut: inout Bool) -> String? {
    switch try? list.object(reference) {
    case .ascii(let range)?:
      isCut = range.count > Self.nameMax
      let end = range.lowerBound + min(range.count, Self.nameMax)
      return list.reader.withBytes(in: range.lowerBound..<end) {
        String(decoding: $0, as: UTF8.self)
      }
    case .utf16(let range)?:
      isCut = range.count / 2 > Self.nameMax
      let end = range.lowerBound + min(range.count / 2, Self.nameMax) * 2
      let bytes = list.reader.withBytes(in: range.lowerBound..<end) { [UInt8]($0) } ?? []
      let units = (0..<bytes.count / 2).map {
        UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1])
      }
      return String(decoding: units, as: UTF16.self)
    default: return nil
    }
  }
}
