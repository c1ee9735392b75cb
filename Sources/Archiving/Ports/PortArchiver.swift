/// Encodes a message to another program: `NSPortCoder`'s sending half.
///
/// A message has a header and then arguments or results, in order. Values travel by copy, and
/// instances of classes as references, unless they are encoded by copy or say otherwise
/// (`PortCoding`).
///
///     let message = try PortArchiver(.request("rename", sequence: 7), objects: objects)
///     try message.encodeString("Europe")
///     try message.encodeBycopyObject(style)   // a copy
///     try message.encodeObject(map)           // a reference: the map stays here
///     let bytes = try message.finish()
///
/// A message that is never finished takes back the references that it would have sent.
public final class PortArchiver: KeyedArchiver {
  /// The objects of the connection.
  public let portObjects: PortObjects

  /// Whether the present object, or one around it, was asked for by copy.
  public private(set) var isBycopy = false
  /// Whether the present object, or one around it, was asked for by reference.
  public private(set) var isByref = false

  private struct ObjectKey: Hashable {
    var object: ObjectIdentifier
    var isBycopy: Bool
    var isByref: Bool
  }

  /// What became of instances, held so that no other takes their address.
  private var replaced: [ObjectKey: Replacement] = [:]
  /// The references to objects of this program in the message.
  private var sent: [ObjectIdentifier: PortReference] = [:]
  private var isSent = false

  /// Begins a message.
  public init(
    _ header: PortHeader, objects: PortObjects, limits: ArchiveLimits = ArchiveLimits()
  ) throws {
    self.portObjects = objects
    super.init(.port, limits: limits)
    try header.encode(with: self)
  }

  deinit {
    if isSent { return }
    for reference in sent.values where reference.number != PortObjects.rootNumber {
      // They are out by this very message, so that there is nothing that could go wrong.
      try? portObjects.release(PortRelease(number: reference.number, count: 1))
    }
  }

  /// Begins a message that gives references back.
  public static func release(
    _ releases: [PortRelease], sequence: Int, objects: PortObjects
  ) throws -> PortArchiver {
    let message = try PortArchiver(PortHeader(.release, sequence: sequence), objects: objects)
    try message.encodePacked(releases.map { Int64(clamping: $0.number) }, forKey: "numbers")
    try message.encodePacked(releases.map { Int64(clamping: $0.count) }, forKey: "counts")
    return message
  }

  public override func finish() throws -> [UInt8] {
    let bytes = try super.finish()
    isSent = true
    return bytes
  }

  /// Takes the references of a finished message back that is not sent after all.
  package func withdraw() { isSent = false }

  // MARK: By copy and by reference

  /// Encodes an object that is copied instead of referred to, with all that it holds.
  public override func encodeBycopyObject<Object: Coding>(_ object: Object?) throws {
    try marked(bycopy: true) { try encodeObject(object) }
  }

  /// Encodes an object that is copied instead of referred to, with all that it holds.
  public override func encodeBycopyObject<Object: Coding>(
    _ object: Object?, forKey key: String
  ) throws {
    try marked(bycopy: true) { try encodeObject(object, forKey: key) }
  }

  /// Encodes an object by reference, also within copied objects.
  public override func encodeByrefObject<Object: Coding>(_ object: Object?) throws {
    try marked(bycopy: false) { try encodeObject(object) }
  }

  /// Encodes an object by reference, also within copied objects.
  public override func encodeByrefObject<Object: Coding>(
    _ object: Object?, forKey key: String
  ) throws {
    try marked(bycopy: false) { try encodeObject(object, forKey: key) }
  }

  /// Encodes a reference to any object of this program, or to a distant one, or to none.
  public func encodePortObject(_ object: AnyObject?) throws {
    try encodeObject(object.map { try reference(to: $0) })
  }

  /// Encodes a reference to any object of this program, or to a distant one, or to none.
  public func encodePortObject(_ object: AnyObject?, forKey key: String) throws {
    try encodeObject(object.map { try reference(to: $0) }, forKey: key)
  }

  private func marked(bycopy: Bool, _ encode: () throws -> Void) rethrows {
    let former = (isBycopy, isByref)
    (isBycopy, isByref) = (bycopy, !bycopy)
    defer { (isBycopy, isByref) = former }
    try encode()
  }

  // MARK: Replacing

  /// How an object travels that says nothing itself.
  public func usualReplacement(for object: some Coding) -> PortReplacement {
    type(of: object) is AnyObject.Type && !isBycopy
      ? .reference(object as AnyObject) : .copy(object)
  }

  /// The object encoded in place of another; an instance is asked once in each way.
  func replacement<Object: Coding>(for object: Object) throws -> Substitute {
    if object is PortReference { return (object, nil) }
    guard type(of: object) is AnyObject.Type else { return (try chosen(for: object), nil) }
    let instance = object as AnyObject
    let key = ObjectKey(object: ObjectIdentifier(instance), isBycopy: isBycopy, isByref: isByref)
    if let known = replaced[key] { return (known.final, known.token) }
    let replacement = Replacement(original: instance, final: try chosen(for: object))
    replaced[key] = replacement
    return (replacement.final, replacement.token)
  }

  private func chosen<Object: Coding>(for object: Object) throws -> (any Coding)? {
    let choice: PortReplacement
    if let coding = object as? any PortCoding {
      choice = try coding.replacementObject(for: self)
    } else if let substituting = object as? any SubstitutingCoding {
      guard let replacement = try substituting.replacementObject(for: self) else { return nil }
      choice = usualReplacement(for: replacement)
    } else {
      choice = usualReplacement(for: object)
    }
    switch choice {
    case .copy(let copy): return copy
    case .reference(let object): return try reference(to: object)
    case .none: return nil
    }
  }

  private func reference(to object: AnyObject) throws -> PortReference {
    if let distant = object as? DistantObject { return try reference(to: distant) }
    if let known = sent[ObjectIdentifier(object)] { return known }
    let reference = PortReference(place: .sender, number: try portObjects.vend(object))
    sent[ObjectIdentifier(object)] = reference
    return reference
  }

  private func reference(to distant: DistantObject) throws -> PortReference {
    if portObjects.isOfOtherEnd(distant) {
      return PortReference(place: .receiver, number: distant.number)
    }
    guard let address = distant.address else {
      throw failed(
        ArchiveError(
          .misuse, "a distant object of another connection that has no address cannot be sent"))
    }
    return PortReference(place: .elsewhere, number: distant.number, address: address)
  }
}
