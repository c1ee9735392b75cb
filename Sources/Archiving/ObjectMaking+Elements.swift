import PortolanMemory

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

  /// What `addOther` does once no elements wait any more.
  func addOtherStep<Element: Coding>(_ elements: inout [Element]) throws {
    do {
      elements.append(try makeOther(Element.self))
    } catch {
      try passNothing(error)
      leaveGap()
    }
  }

  /// Ends an element of a row that made itself, and appends it, or lets it wait if it is an object.
  @inline(__always)
  func endStep<Element: Coding>(
    _ element: consuming Element, in elements: inout [Element]
  ) throws {
    let isObject = making.traits.isObject
    try endStep(element)
    guard isObject else { return elements.append(element) }
    // Of a generic type, an array is looked up at run time for each element that is appended. The
    // row takes over the count of the object: counting it again would cost more than the rest.
    UnsafeMutableRawPointer(waiting.room(for: 1)).initializeMemory(as: Element.self, to: element)
  }

  /// Appends the objects that wait to be elements of the innermost row.
  @inline(never)
  func appendWaiting<Element>(to elements: inout [Element], from first: Int) {
    waiting.withElements { waiting in
      // Only objects of just the type `Element` wait, which is a class then.
      let objects = UnsafeMutableRawBufferPointer(
        mutating: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: waiting[first...]))
      ).assumingMemoryBound(to: Element.self)
      if elements.isEmpty {
        elements = Array(unsafeUninitializedCapacity: objects.count) { room, count in
          count = room.moveInitialize(fromContentsOf: objects)
        }
      } else {
        elements.append(contentsOf: objects)
        objects.deinitialize()
      }
    }
    waiting.truncate(to: first)
  }

  /// Lets go of the objects that wait from a place on.
  func dropWaiting(from first: Int) {
    for place in first..<waiting.count { waiting[place].release() }
    waiting.truncate(to: first)
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
