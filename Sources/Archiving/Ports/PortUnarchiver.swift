import PropertyLists

/// Decodes a message of another program: `NSPortCoder`'s receiving half.
///
///     let message = try PortUnarchiver(bytes, objects: objects, classes: [Style.self])
///     guard message.header.kind == .request else { … }
///     let name = try message.decodeString()
///     let style = try message.decodeObject(Style.self)      // a copy, or ours that is back
///     let map = try message.decodePortObject()              // a distant object, or ours
///
/// A message can make only classes that the reader names, and can name no object that was not sent
/// to that other program before.
public final class PortUnarchiver: KeyedUnarchiver {
  /// The most bytes of a message.
  public static let sizeMax = 1 << 20

  /// The objects of the connection.
  public let portObjects: PortObjects
  /// The kind of message.
  public private(set) var header = PortHeader(.request, sequence: 0)

  /// The objects of the other program that the message refers to, held as long as it is.
  private var held: [UInt64: DistantObject] = [:]
  /// The objects of this program that it refers to: they may be given back before it is decoded.
  private var homes: [UInt64: AnyObject] = [:]

  /// Opens a message; `classes` are the subclasses that may stand for a class a call asks for.
  ///
  /// - Throws: `ArchiveError`; nothing of the message takes effect then.
  public init(
    _ bytes: [UInt8], objects: PortObjects, classes: [any Coding.Type] = [],
    sizeMax: Int = sizeMax, limits: ArchiveLimits = ArchiveLimits()
  ) throws {
    guard bytes.count <= sizeMax else {
      throw ArchiveError(.tooLarge, "a message of \(bytes.count) bytes; \(sizeMax) are taken")
    }
    self.portObjects = objects
    try super.init(.port, graph: ObjectGraph(bytes), classes: classes, limits: limits)
    header = try PortHeader(coder: self)
    if let target = header.target { homes[target] = objects.object(target) }
    try holdReferences()
  }

  /// The object of this program that a request is for.
  ///
  /// - Throws: `.invalidValue` if it was never sent to the other end, or was given back.
  public func target() throws -> AnyObject {
    guard header.kind == .request, let number = header.target else {
      throw ArchiveError(.misuse, "only a request has a target")
    }
    guard let object = homes[number] else {
      throw invalidValue("there is no object \(number) here, or not any more", forKey: "target")
    }
    return object
  }

  /// The references that a message of the kind `release` gives back.
  public func releases() throws -> [PortRelease] {
    let numbers = try decodePacked(Int64.self, forKey: "numbers")
    let counts = try decodePacked(Int64.self, forKey: "counts")
    guard numbers.count == counts.count else {
      throw invalidValue(
        "\(counted(counts.count, "count")) for \(counted(numbers.count, "number"))",
        forKey: "counts")
    }
    return try zip(numbers, counts).map { number, count in
      guard let number = UInt64(exactly: number), count > 0 else {
        throw invalidValue("no references can be given back so", forKey: "counts")
      }
      return PortRelease(number: number, count: Int(count))
    }
  }

  /// Decodes a reference: an object of this program that is back, or a distant one; `nil` for none.
  public func decodePortObject() throws -> PortObject? {
    try decodeObjectIfPresent(PortReference.self).map { try portObject($0) }
  }

  /// Decodes a reference: an object of this program that is back, or a distant one; `nil` for none.
  public func decodePortObject(forKey key: String) throws -> PortObject? {
    try decodeObjectIfPresent(PortReference.self, forKey: key).map { try portObject($0) }
  }

  // MARK: References

  /// Notes all references of the message, so that those nobody asks for are given back too.
  private func holdReferences() throws {
    for number in 0..<graph.nodeCount {
      let node = NodeID(rawValue: UInt32(truncatingIfNeeded: number))
      guard try graph.className(of: node) == PortReference.archivedClass.name else { continue }
      let reference = try object(PortReference.self, node.rawValue)
      let number = reference.number
      switch reference.place {
      case .sender where held[number] == nil: held[number] = portObjects.distantObject(number)
      case .receiver where homes[number] == nil: homes[number] = portObjects.object(number)
      default: break
      }
    }
  }

  /// How many distant objects the message refers to.
  package var heldCount: Int { held.count }

  private func portObject(_ reference: PortReference) throws -> PortObject {
    switch reference.place {
    case .receiver: return .local(try home(reference.number))
    case .sender:
      return .distant(held[reference.number] ?? portObjects.distantObject(reference.number))
    case .elsewhere:
      return .distant(portObjects.distantObject(reference.number, address: reference.address))
    }
  }

  private func home(_ number: UInt64) throws -> AnyObject {
    guard let object = homes[number] else {
      throw ArchiveError(
        .invalidValue, path: path(), "there is no object \(number) here, or not any more")
    }
    return object
  }

  /// The object of this program that a reference in the place of an object means, or the distant
  /// one where the place is for such.
  func object(of reference: PortReference, for type: Any.Type) throws -> any Coding {
    if type == DistantObject.self, reference.place != .receiver,
      case .distant(let object) = try portObject(reference)
    {
      return object
    }
    guard reference.place == .receiver else {
      throw ArchiveError(
        .classNotAllowed, path: path(),
        "expected a copy, found a reference to an object of another program; "
          + "decode it with decodePortObject")
    }
    guard let object = try home(reference.number) as? any Coding else {
      throw ArchiveError(.classNotAllowed, path: path(), "expected an object of another class")
    }
    return object
  }
}
