/// An object of a class that the program does not know, kept whole with all it refers to.
///
/// It holds the archive it came from and the object's number there; nothing is copied, decoded or
/// made. Encoded again, it is written back unchanged. Objects that two kept objects share stay
/// shared.
///
/// One of a keyed archive is written to keyed archives, one of a typedstream to typedstreams.
public struct UnknownObject: SpecialCoding, Hashable, Sendable {
  private let source: Source

  /// The decoded objects that it refers to.
  private(set) var links: DecodedLinks?

  /// What few kept objects have, in one word: an archive may hold millions of them.
  private var rarity: Rarity?

  private indirect enum Rarity: Sendable {
    case fields(numbers: [String: Int], fault: ArchiveError?)
  }

  private enum Source: Hashable, Sendable {
    case keyed(KeyedSource)
    case sequential(SequentialObject)
  }

  /// An object of a keyed archive.
  struct KeyedSource: Sendable {
    var graph: ObjectGraph
    var node: NodeID
  }

  /// Keeps an object of a keyed archive.
  public init(graph: ObjectGraph, node: NodeID) {
    self.init(graph: graph, node: node, links: nil)
  }

  init(graph: ObjectGraph, node: NodeID, links: DecodedLinks?) {
    source = .keyed(KeyedSource(graph: graph, node: node))
    self.links = links
  }

  /// Keeps an object of a typedstream.
  public init(_ object: SequentialObject) {
    self.init(object, links: nil)
  }

  init(_ object: SequentialObject, links: DecodedLinks?) {
    source = .sequential(object)
    self.links = links
  }

  /// The same object as a part of another archive: it refers to no object of its former one.
  ///
  /// The objects below it are written with it, as copies that belong to it alone.
  public var detached: UnknownObject {
    var copy = self
    copy.links = nil
    return copy
  }

  /// The same object with other integers under some of its own keys, there before or not.
  ///
  /// An object of a typedstream is written without them.
  public func settingNumbers(_ numbers: [String: Int]) -> UnknownObject {
    var copy = self
    copy.rarity = .fields(
      numbers: self.numbers.merging(numbers) { _, new in new }, fault: fault)
    return copy
  }

  /// Numbers that are written in the place of those under some of its own keys.
  var numbers: [String: Int] {
    if case .fields(let numbers, _) = rarity { numbers } else { [:] }
  }

  /// Why an object of a class that is known was kept instead of being read; `nil` for one of an
  /// unknown class.
  public var fault: ArchiveError? {
    if case .fields(_, let fault) = rarity { fault } else { nil }
  }

  /// The same object with the reason why it was kept.
  func keeping(_ fault: ArchiveError) -> UnknownObject {
    var copy = self
    copy.rarity = .fields(numbers: numbers, fault: fault)
    return copy
  }

  /// The archive and its node there, if it came from a keyed one.
  var keyed: KeyedSource? {
    if case .keyed(let keyed) = source { keyed } else { nil }
  }

  /// The keyed archive it came from; `nil` for an object of a typedstream.
  public var graph: ObjectGraph? { keyed?.graph }

  /// Its number in the keyed archive; `nil` for an object of a typedstream.
  public var node: NodeID? { keyed?.node }

  /// The object of a typedstream that it is; `nil` for one of a keyed archive.
  public var sequential: SequentialObject? {
    if case .sequential(let object) = source { object } else { nil }
  }

  /// The name of its class, for showing it; `nil` when it is a bare value.
  public var className: String? {
    switch source {
    case .keyed(let keyed): (try? keyed.graph.node(keyed.node).classChain)?.first
    case .sequential(let object): object.className
    }
  }

  /// Whether both are the same object of the same archive.
  public static func == (first: UnknownObject, second: UnknownObject) -> Bool {
    first.source == second.source && first.numbers == second.numbers
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(source) }

  /// Never written: the object's own class is.
  public static var archivedClass: ArchivedClass { "UnknownObject" }

  /// Writes the object's fields into the object that is being encoded.
  public func encode(with coder: any EncodingCoder) throws {
    guard let keyed else {
      guard let archiver = coder as? Archiver else {
        throw ArchiveError(
          .misuse, "an object kept from a typedstream can only be written to a typedstream")
      }
      return try archiver.writeGroups(ofKept: self)
    }
    for (key, number) in numbers.sorted(by: { $0.key < $1.key }) {
      try coder.encodeInt(number, forKey: key)
    }
    try coder.encodeUnreadFields(
      UnreadFields(graph: keyed.graph, fields: keyed.graph.node(keyed.node).fields, links: links))
  }

  /// Keeps the object that is being decoded, whatever its class.
  public init(coder: any DecodingCoder) throws {
    let kept =
      if let unarchiver = coder as? Unarchiver {
        try unarchiver.keepCurrentObject()
      } else {
        (coder as? KeyedUnarchiver)?.currentObject
      }
    guard let kept else {
      throw ArchiveError(.misuse, "only an object of an archive can be kept")
    }
    self = kept
  }
}

extension UnknownObject: CustomStringConvertible {
  /// Its class, and why it was kept if a class of Foundation's could not be read.
  public var description: String {
    let name = className.map { "an object of class \($0)" } ?? "a value without a class"
    return fault.map { "\(name) (kept: \($0))" } ?? name
  }
}

/// Fields of an object that its type did not read, kept to be written back.
///
/// A value keeps them in a stored property and gives them to `encodeUnreadFields` when it is
/// encoded.
public struct UnreadFields: Sendable {
  let graph: ObjectGraph?
  let fields: [ObjectGraph.Field]
  private(set) var links: DecodedLinks?

  /// No fields: those of a value that was not decoded.
  public init() {
    graph = nil
    fields = []
    links = nil
  }

  init(graph: ObjectGraph, fields: [ObjectGraph.Field], links: DecodedLinks?) {
    self.graph = graph
    self.fields = fields
    self.links = links
  }

  /// The same fields for an object of another archive; see `UnknownObject.detached`.
  public var detached: UnreadFields {
    var copy = self
    copy.links = nil
    return copy
  }

  /// Whether there are none.
  public var isEmpty: Bool { fields.isEmpty }

  /// The keys of the fields, in the order of the archive.
  public var keys: [String] { fields.map(\.key) }
}

extension UnknownObject.KeyedSource: Hashable {
  static func == (first: Self, second: Self) -> Bool {
    first.graph === second.graph && first.node == second.node
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(graph))
    hasher.combine(node)
  }
}

extension UnreadFields: Hashable {
  /// Whether both are the same fields of the same object.
  public static func == (first: UnreadFields, second: UnreadFields) -> Bool {
    first.graph === second.graph && first.fields == second.fields
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(graph.map { ObjectIdentifier($0) })
    hasher.combine(fields)
  }
}
