// Keeping objects of the stream, and noting which of those that they refer to were made.
extension Unarchiver {
  /// Kept parts that are not linked yet.
  struct KeptParts {
    var kept: [UInt32] = []
    /// The objects they refer to, each once.
    var work: [UInt32] = []
  }

  /// The memory of a kept object, in bytes.
  private static let keptWeight = 64

  /// Keeps an object.
  func keep(_ number: Int) throws -> UnknownObject {
    guard case .object? = stream.entry(number) else {
      throw fault(.typeMismatch, "object \(number) is a class or a C string")
    }
    try charge(Self.keptWeight)
    var parts = keptParts.take() ?? KeptParts()
    parts.kept.append(UInt32(truncatingIfNeeded: number))
    keptParts = parts
    return UnknownObject(
      SequentialObject(stream: stream, number: number), links: made.linksOfKeptParts())
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
    for number in parts.kept where made.reach(Int(number)) {
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
    if !made.link(number), made.reach(number) {
      parts.work.append(UInt32(truncatingIfNeeded: number))
    }
  }
}
