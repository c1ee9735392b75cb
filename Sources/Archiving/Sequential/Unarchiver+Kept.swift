// Keeping objects of the stream, and noting which of those that they refer to were made.
extension Unarchiver {
  /// Kept parts that are not linked yet.
  struct KeptParts {
    let links = DecodedLinks()
    /// Kept parts and the objects they refer to, each once.
    var kept: [UInt32] = []
    var work: [UInt32] = []
    /// Visited objects. One that is decoded later is noted then.
    var isSeen: [Bool]

    init(count: Int) { isSeen = Array(repeating: false, count: count) }
  }

  /// The memory of a kept object, in bytes.
  private static let keptWeight = 64

  /// Keeps an object.
  func keep(_ number: Int) throws -> UnknownObject {
    guard case .object? = stream.entry(number) else {
      throw fault(.typeMismatch, "object \(number) is a class or a C string")
    }
    try charge(Self.keptWeight)
    var parts = keptParts.take() ?? KeptParts(count: stream.objectCount)
    parts.kept.append(UInt32(truncatingIfNeeded: number))
    let links = parts.links
    keptParts = parts
    return UnknownObject(
      SequentialObject(stream: stream, number: number), links: links)
  }

  /// Keeps the object that is being made; its values count as read.
  func keepCurrentObject() throws -> UnknownObject? {
    guard frame.number >= 0 else { return nil }
    frame.skipsRest = true
    return try keep(frame.number)
  }

  /// Follows the kept parts up to the decoded objects, and notes those.
  func linkKept() throws {
    guard var parts = keptParts.take() else { return }
    defer { keptParts = parts }
    for number in parts.kept where !parts.isSeen[Int(number)] {
      parts.isSeen[Int(number)] = true
      try follow(partsOf: Int(number), &parts)
    }
    parts.kept = []
    while let number = parts.work.popLast() { try follow(partsOf: Int(number), &parts) }
  }

  private func follow(partsOf number: Int, _ parts: inout KeptParts) throws {
    var scanner = try stream.events(ofObject: number)
    _ = try scanner.next()
    while let event = try scanner.next() {
      switch event {
      case .beginObject(let inner):
        // It is looked at by itself, once.
        scanner.skipObject()
        follow(inner, &parts)
      case .reference(let inner): follow(inner, &parts)
      default: break
      }
    }
  }

  private func follow(_ number: Int, _ parts: inout KeptParts) {
    guard case .object? = stream.entry(number) else { return }
    if let identity = identities[number] {
      parts.links.note(UInt32(truncatingIfNeeded: number), .identity(identity))
    } else if case .object(let place) = Memo(memos[number]) {
      parts.links.note(
        UInt32(truncatingIfNeeded: number), .object(WeakObject(object: madeObjects[place])))
    } else if !parts.isSeen[number] {
      parts.isSeen[number] = true
      parts.work.append(UInt32(truncatingIfNeeded: number))
    }
  }
}
