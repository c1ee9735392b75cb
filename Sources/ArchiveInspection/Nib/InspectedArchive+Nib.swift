/// The values of the objects of a compiled nib.
extension InspectedArchive {
  /// A value of an object.
  func nibValue(_ index: Int, of record: InspectedNode, _ nib: NibArchive) -> InspectedValue {
    guard index >= 0, index < Int(record.count) else { return .broken("no value \(index)") }
    let place = Int(record.start) + index
    guard let value = nib.value(place) else {
      return .broken("no value \(place) of \(nib.valueCount)")
    }
    switch value {
    case .integer(let value): return .integer(value)
    case .bool(let value): return .bool(value)
    case .float(let value): return .float(value)
    case .double(let value): return .double(value)
    case .data(let range): return .data(range)
    case .none: return .none
    case .object(let number):
      guard number < nib.objects.count else {
        return .broken("reference to object \(number) of \(nib.objects.count)")
      }
      return .node(number)
    }
  }

  /// How a value of an object is called.
  func nibLabel(_ index: Int, of record: InspectedNode, _ nib: NibArchive) -> InspectedLabel {
    guard index >= 0, index < Int(record.count),
      let key = nib.keyNumber(ofValue: Int(record.start) + index)
    else { return .key("?") }
    return .key(nib.key(key))
  }

  /// The index of the value under a key; `nil` when there is none.
  func nibIndex(ofKey key: String, in record: InspectedNode, _ nib: NibArchive) -> Int? {
    (0..<Int(record.count)).first { index in
      nib.keyNumber(ofValue: Int(record.start) + index).map { nib.isKey($0, key) } ?? false
    }
  }

  /// How many bytes the values of an object take.
  func nibByteCount(_ record: InspectedNode, _ nib: NibArchive) -> Int {
    let end = min(Int(record.start) + Int(record.count), nib.valueCount)
    guard Int(record.start) <= end, end < nib.valueStarts.count else { return 0 }
    return Int(nib.valueStarts[end]) - Int(nib.valueStarts[Int(record.start)])
  }

  /// A collection of a compiled nib: its elements stand behind a mark in the object itself.
  func nibForm(_ name: String, _ node: Int) -> KnownForm? {
    guard nodes[node].isInlined else { return nil }
    switch name {
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet",
      "NSMutableOrderedSet":
      return KnownForm(elements: .tail(1))
    case "NSDictionary", "NSMutableDictionary":
      guard valueCount(of: node) % 2 == 1 else { return nil }
      return KnownForm(elements: .pairTail(1))
    default: return nil
    }
  }

  /// The number that an `NSNumber` of a compiled nib or a GNUstep archive is, and the name of its
  /// field; `nil` for other objects.
  ///
  /// Keyed archives have numbers that stand for themselves, typedstreams a type before each.
  func singleNumber(_ node: Int) -> (value: InspectedValue, key: String)? {
    guard valueCount(of: node) == 1 else { return nil }
    let (value, key) = (value(0, of: node), fieldName(0, of: node))
    switch source {
    case .nib where key.hasPrefix("NS."), .items: break
    default: return nil
    }
    return numberWords(value) == nil ? nil : (value, key)
  }
}
