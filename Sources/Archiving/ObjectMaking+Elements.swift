// The elements of collections, made one after the other.

extension ObjectMaking {
  /// Makes the elements of the innermost row, and ends it.
  ///
  /// The methods that nest most often have this loop in themselves: in a debug build each call
  /// takes stack at every level of a graph.
  func makeElements<Element: Coding>(_ type: Element.Type) throws -> [Element] {
    var elements: [Element] = []
    do {
      while true {
        let beginning = try beginElement(&elements)
        if beginning == .none { return elements }
        if beginning == .plain {
          try endElement(Element(coder: self), in: &elements)
        } else {
          try addOther(&elements)
        }
      }
    } catch {
      throw abandonRow(error)
    }
  }

  @inline(never)
  func addOther<Element: Coding>(_ elements: inout [Element]) throws {
    do {
      elements.append(try makeOther(Element.self))
    } catch {
      try passNothing(error)
      leaveGap()
    }
  }
}

extension ObjectMaking {
  /// The parts of a collection that are groups after their number, as in sequential archives.
  func groups(
    _ form: CollectionForm, in classes: ClassList<any Coding>
  ) throws -> CollectionParts {
    let count = try decodeCount(ofType: form.countType)
    try chargeElements(count, MemoryLayout<any Coding>.stride)
    var parts = CollectionParts(
      form, [], isMutable: currentClassName?.hasPrefix("NSMutable") ?? false)
    for _ in 0..<count {
      let key = form == .dictionary ? try listedElement(in: classes) : nil
      let element = try listedElement(in: classes)
      let times = form == .countedSet ? try decodeCount(ofType: "I") : 1
      guard times > 0 else { throw invalidValue("a count of \(times)", forKey: "count") }
      guard let element, key != nil || form != .dictionary else { continue }
      parts.elements.append(element)
      if let key { parts.keys.append(key) }
      if form == .countedSet { parts.counts.append(times) }
    }
    return parts
  }
}
