import PropertyLists

/// Writes graphs of objects as a typedstream, the format of Cocoa's `NSArchiver`.
///
///     let archiver = Archiver()
///     try archiver.encodeRootObject(document)
///     let bytes = try archiver.finish()
///
/// Values stand in the order in which they are encoded; keys are not written. Every object encoded
/// outside of all others is a root: its conditional references are written if the graph reaches
/// it otherwise. `encode(with:)` of an object can then run twice, and must do the same both times.
///
/// After an error the archiver is of no more use; `finish()` then throws it again.
public final class Archiver: EncodingCoder {
  @exclusivity(unchecked) var writer: TypedstreamWriter

  // The written items, by number.
  @exclusivity(unchecked) var identities = IdentityTable()
  @exclusivity(unchecked) var identifiedValues: [AnyHashable: IdentifiedEntry] = [:]
  @exclusivity(unchecked) var texts = TextTable()
  @exclusivity(unchecked) var cStrings: [[UInt8]: Int] = [:]
  @exclusivity(unchecked) var keptObjects: [KeptObject: Int] = [:]
  /// The streams that kept objects come from, held so that no other takes their address.
  @exclusivity(unchecked) var keptStreams: [ObjectIdentifier: Typedstream] = [:]

  // The classes met so far, and the type whose entry was asked for last.
  @exclusivity(unchecked) var classes: [ClassEntry] = []
  @exclusivity(unchecked) var classOfType: [ObjectIdentifier: Int] = [:]
  @exclusivity(unchecked) var classOfArchived: [ArchivedClass: Int] = [:]
  @exclusivity(unchecked) var lastType: (identity: ObjectIdentifier?, index: Int) = (nil, 0)
  @exclusivity(unchecked) var foundationClasses: [FoundationObject: Int] = [:]
  @exclusivity(unchecked) var otherNames: [String: String] = [:]
  /// The replacements of objects.
  @exclusivity(unchecked) var replacements: [ObjectIdentifier: Replacement] = [:]
  /// The identity that the value has which is written next.
  @exclusivity(unchecked) var nextToken: Replacement.Token?
  /// The types of values by their type strings.
  @exclusivity(unchecked) var programs: [String: [UInt32]] = [:]

  /// The classes of the objects that are being encoded, outermost first.
  @exclusivity(unchecked) var frames: [Int32] = []
  @exclusivity(unchecked) var groupCount = 0
  @exclusivity(unchecked) var root: Root?
  @exclusivity(unchecked) var failure: (any Error)?
  @exclusivity(unchecked) private var isFinished = false
  let limits: ArchiveLimits
  @exclusivity(unchecked) var stack = StackUse()

  /// A value that was encoded, by its identity.
  struct IdentifiedEntry {
    var number: Int
    var value: any Coding
  }

  /// Other names under which instances of classes are written.
  ///
  /// Set them before an object of such a class is encoded.
  public var classNames = ArchivedClassNames()

  /// An object of another stream that is written back.
  struct KeptObject: Hashable {
    var stream: ObjectIdentifier
    var number: Int
  }

  /// A class that was met, whose number is -1 as long as it is not in the stream.
  struct ClassEntry {
    var type: ObjectIdentifier?
    var chain: [(name: String, version: Int)]
    var number = -1
    var isObject = false
    var isIdentified = false
    var isSubstituting = false
    var isClassSubstituting = false
    var isRestricted = false
    var isUnknown = false
    var isFoundation = false
    /// The type, if its name is its own and no other type's, and why it is not.
    var claimant: (any Coding.Type)?
    var nameFault: String?
    /// Whether the type may be any of the latter six.
    var isSpecial = false
    /// Whether another object, or nothing, may be written in the place of an instance.
    var isReplaced: Bool { isSubstituting || isClassSubstituting }
  }

  /// Makes an archiver; the byte order and the version of the system are those of today's Macs.
  public init(
    byteOrder: TypedstreamByteOrder = .littleEndian, systemVersion: Int = 1_000,
    limits: ArchiveLimits = ArchiveLimits()
  ) {
    self.limits = limits
    writer = TypedstreamWriter(byteOrder: byteOrder, systemVersion: systemVersion)
    frames.reserveCapacity(16)
    classes.reserveCapacity(8)
  }

  /// The archive of one object or value.
  public static func archive(
    _ root: some Coding, byteOrder: TypedstreamByteOrder = .littleEndian,
    limits: ArchiveLimits = ArchiveLimits()
  ) throws -> [UInt8] {
    let archiver = Archiver(byteOrder: byteOrder, limits: limits)
    try archiver.encodeRootObject(root)
    return try archiver.finish()
  }

  /// Values are found by their order only.
  public var allowsKeyedCoding: Bool { false }

  /// The version of the system that the stream names as its writer.
  public var systemVersion: Int { writer.systemVersion }

  /// Ends the archive and gives its bytes; nothing can be encoded afterwards.
  public func finish() throws -> [UInt8] {
    if let failure { throw failure }
    guard !isFinished, frames.isEmpty, root == nil else {
      throw ArchiveError(.misuse, "the archive is finished, or an object is still being encoded")
    }
    guard writer.bytes.count < 1 << 30 else {
      throw ArchiveError(.tooLarge, "\(writer.bytes.count) bytes are too many for a typedstream")
    }
    isFinished = true
    return writer.takeBytes()
  }

  // MARK: Roots

  /// A graph being encoded, and the objects that its conditional references wait for.
  struct Root {
    /// Objects and identities that were referred to conditionally before anything encoded them.
    var undecided: [AnyObject] = []
    var undecidedIdentities: [AnyHashable] = []
    /// The objects of the first pass, in the second; `nil` in the first.
    var reached: Reached?
  }

  /// The objects and values that a graph reaches unconditionally.
  final class Reached {
    let objects: IdentityTable
    let values: [AnyHashable: IdentifiedEntry]
    /// The number from which on the objects belong to the graph.
    let first: Int

    init(
      objects: consuming IdentityTable, values: [AnyHashable: IdentifiedEntry], first: Int
    ) {
      self.objects = objects
      self.values = values
      self.first = first
    }
  }

  /// Encodes a group outside of all objects, whose objects are the root of a graph.
  ///
  /// The first pass writes and takes conditional references to objects not written so far for
  /// none. Only where it was wrong, because the graph reached the object afterwards, the graph is
  /// written again, with the set of reached objects. The result is that of Apple's two passes.
  func encodeRoot(_ body: () throws -> Void) throws {
    try beginTopGroup()
    groupCount -= 1
    let mark = writer.mark
    let first = writer.objectCount
    root = Root()
    do {
      try body()
      if let pass = root, isWrong(pass, from: first) {
        root = Root(
          reached: Reached(objects: identities.copy(), values: identifiedValues, first: first))
        takeBack(mark, first)
        try body()
      }
    } catch {
      root = nil
      throw failed(error)
    }
    root = nil
    groupCount += 1
  }

  /// Counts a group outside of all objects, which an archive that is finished does not take.
  func beginTopGroup() throws {
    if let failure { throw failure }
    guard !isFinished else { throw ArchiveError(.misuse, "the archive is finished") }
    groupCount += 1
  }

  private func isWrong(_ pass: Root, from first: Int) -> Bool {
    pass.undecided.contains { identities.node(of: $0) != nil }
      || pass.undecidedIdentities.contains { identifiedValues[$0] != nil }
  }

  /// Forgets the items from a number on.
  private func takeBack(_ mark: TypedstreamWriter.Mark, _ first: Int) {
    writer.restore(mark)
    identities.removeAll(from: UInt32(truncatingIfNeeded: first))
    identifiedValues = identifiedValues.filter { $0.value.number < first }
    texts.removeAll(from: first)
    cStrings = cStrings.filter { $0.value < first }
    keptObjects = keptObjects.filter { $0.value < first }
    for index in classes.indices where classes[index].number >= first { classes[index].number = -1 }
  }

  // MARK: Errors

  /// Notes the first error; nothing can be finished after it.
  func failed(_ error: any Error) -> any Error {
    failure = failure ?? error
    return error
  }

  /// An error at the value that is being encoded.
  func fault(
    _ code: ArchiveError.Code, key: String = "", _ reason: String
  ) -> any Error {
    failed(ArchiveError(code, path: path(key), reason))
  }

  /// Where in the graph the encoding stands, such as `group 0.MapView.title`.
  func path(_ key: String) -> String {
    let names = frames.prefix(32).map { classes[Int($0)].chain.first?.name ?? "?" }
    let cut = frames.count > names.count ? ["…"] : []
    return (["group \(groupCount)"] + names + cut + (key.isEmpty ? [] : [key]))
      .joined(separator: ".")
  }
}
