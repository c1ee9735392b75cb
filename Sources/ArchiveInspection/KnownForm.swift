/// What is shown of an object whose class is known, in place of its fields.
struct KnownForm {
  enum Summary {
    /// A text, to be quoted.
    case text(InspectedValue)
    /// Bytes.
    case data(InspectedValue)
    /// Words or numbers as they are.
    case words(String)
  }

  /// Elements that are listed instead of the fields that hold them.
  enum Elements {
    case none
    /// The values of a container.
    case row(Int)
    /// Keys and values in two containers.
    case pairs(keys: Int, values: Int)
    /// The values of the object itself from this one on.
    case tail(Int)
    /// Keys and values in turn from this value on.
    case pairTail(Int)
  }

  var summary: Summary?
  var elements = Elements.none
  /// The fields that are neither in the summary nor among the elements.
  var extra: [Int] = []
}

extension InspectedArchive {
  /// The form of an object of Foundation's or AppKit's value classes; `nil` where the object is of
  /// another class, or not as that class writes it.
  func knownForm(of node: Int) -> KnownForm? {
    guard record(of: node).kind == .object, let name = archivedClass(of: node)?.name else {
      return nil
    }
    switch source {
    case .list: return keyedForm(name, node)
    case .nib: return nibForm(name, node) ?? keyedForm(name, node)
    case .stream: return sequentialForm(name, node)
    case .items: return unresolved == nil ? sequentialForm(name, node) : nil
    }
  }

  /// How many elements the form lists.
  func elementCount(_ elements: KnownForm.Elements, of node: Int) -> Int? {
    switch elements {
    case .none: nil
    case .row(let container): valueCount(of: container)
    case .pairs(let keys, _): valueCount(of: keys)
    case .tail(let first): max(0, valueCount(of: node) - first)
    case .pairTail(let first): max(0, valueCount(of: node) - first) / 2
    }
  }

  /// A value that stands for itself, or that a bare object holds.
  func bare(_ value: InspectedValue?) -> InspectedValue? {
    guard case .node(let node)? = value else { return value }
    return record(of: node).kind == .bare ? self.value(0, of: node) : nil
  }

  /// A value that stands for itself: behind a reference to a bare object or a string too.
  func resolved(_ value: InspectedValue?) -> InspectedValue? {
    guard case .node(let node)? = value else { return value }
    switch record(of: node).kind {
    case .bare: return self.value(0, of: node)
    case .object:
      switch archivedClass(of: node)?.name {
      // Their forms do not look behind other objects: no way around in a circle.
      case "NSString", "NSMutableString", "NSData", "NSMutableData", "NSLocalizableString": break
      case "NSNumber": return singleNumber(node)?.value
      default: return nil
      }
      switch knownForm(of: node)?.summary {
      case .text(let text)?: return text
      case .data(let data)?: return data
      default: return nil
      }
    default: return nil
    }
  }

  /// The text of a value, if it is short enough to be shown in a line.
  func shortText(_ value: InspectedValue?) -> String? {
    guard let value = resolved(value), let text = text(of: value, limit: 200) else { return nil }
    return text.text + (text.isCut ? "…" : "")
  }

  /// The whole number of a value.
  func whole(_ value: InspectedValue?) -> Int64? {
    switch resolved(value) {
    case .integer(let value)?: value
    case .double(let value)?: Int64(exactly: value)
    case .float(let value)?: Int64(exactly: value)
    default: nil
    }
  }

  /// The number of a value.
  func real(_ value: InspectedValue?) -> Double? {
    switch resolved(value) {
    case .integer(let value)?: Double(value)
    case .unsigned(let value)?: Double(value)
    case .double(let value)?: value
    case .float(let value)?: Double(value)
    default: nil
    }
  }

  /// The place of the bytes of a value.
  func dataRange(_ value: InspectedValue?) -> Range<Int>? {
    switch resolved(value) {
    case .data(let range)?, .bytes(let range)?: range
    default: nil
    }
  }

  /// A container that a field holds itself.
  func container(_ key: String, _ node: Int) -> Int? {
    guard case .node(let found)? = value(forKey: key, in: node), record(of: found).kind == .array
    else {
      return nil
    }
    return found
  }

  /// The fields of a node without those of some keys.
  func fields(of node: Int, without keys: [String]) -> [Int] {
    let known = Set(keys.compactMap { index(ofKey: $0, in: node) })
    let count = valueCount(of: node)
    if known.count == count { return [] }
    return (0..<count).filter { !known.contains($0) }
  }
}
