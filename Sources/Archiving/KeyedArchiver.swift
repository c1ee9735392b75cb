import PropertyLists

/// Writes a graph of objects as a keyed archive in Apple's binary form.
///
///     let archiver = KeyedArchiver()
///     try archiver.encodeObject(document, forKey: "root")
///     try archiver.encodeInt(3, forKey: "formatVersion")
///     let bytes = try archiver.finish()
///
/// The archive of equal graphs is the same, byte for byte. After an error the archiver is of no
/// more use; `finish()` then throws it again.
public final class KeyedArchiver: EncodingCoder {
  var writer = BinaryPropertyListWriter()

  /// The property-list objects of each node: the reference to it and its body.
  var nodes: [Node] = []
  /// The node that stands for a bare string, by the string's property-list object; 0 for none.
  var nodeOfString: [UInt32] = []
  /// The record of each class met so far.
  var classes: [ClassEntry] = []
  var classOfType: [ObjectIdentifier: Int] = [:]
  var namedClasses: [[String]: Int] = [:]
  var identities = IdentityTable()
  var identifiedValues: [AnyHashable: UInt32] = [:]
  var keptNodes: [KeptNode: UInt32] = [:]
  /// The archives that kept nodes come from, held so that no other takes their address.
  var keptGraphs: [ObjectIdentifier: ObjectGraph] = [:]

  /// The fields of the objects that are being encoded, innermost last.
  var pendingKeys: [PropertyListReference] = []
  var pendingValues: [PropertyListReference] = []
  var frames: [Frame] = []

  let limits: ArchiveLimits
  let nullBody: PropertyListReference
  private let topReference: PropertyListReference
  var failure: (any Error)?
  private var isFinished = false

  /// What was reserved for a node.
  struct Node {
    var uid: PropertyListReference
    var body: PropertyListReference
    /// Whether something referred to it and nothing has encoded it so far.
    var isReserved = false
  }

  /// An object that is being encoded.
  struct Frame {
    var firstField: Int
    /// The class, whose fields are expected in the same order as last time; -1 on top.
    var classIndex: Int
  }

  /// A class that has a record in the archive, or will have one.
  struct ClassEntry {
    var type: ObjectIdentifier?
    var chain: [String]
    var node: UInt32 = 0
    var isObject = false
    var isIdentified = false
    var isSubstituting = false
    var isUnknown = false
    /// The keys of the last instance, in order, to find them again without a search.
    var keys: [(text: String, reference: PropertyListReference)] = []
  }

  /// A node of another archive that is written back.
  struct KeptNode: Hashable {
    var graph: ObjectIdentifier
    var node: NodeID
  }

  /// Makes an archiver.
  public init(limits: ArchiveLimits = ArchiveLimits()) {
    self.limits = limits
    topReference = writer.reserve()
    nullBody = writer.addString("$null")
    nodes.append(Node(uid: writer.addUID(0), body: nullBody))
    frames.append(Frame(firstField: 0, classIndex: -1))
  }

  /// The archive of one object or value under the key `root`.
  public static func archive(
    _ root: some Coding, limits: ArchiveLimits = ArchiveLimits()
  ) throws -> [UInt8] {
    let archiver = KeyedArchiver(limits: limits)
    try archiver.encodeObject(root, forKey: "root")
    return try archiver.finish()
  }

  /// Keyed archives find values by key.
  public var allowsKeyedCoding: Bool { true }

  /// Ends the archive and gives its bytes; nothing can be encoded afterwards.
  public func finish() throws -> [UInt8] {
    if let failure { throw failure }
    guard !isFinished, frames.count == 1 else {
      throw ArchiveError(.misuse, "the archive is finished, or an object is still being encoded")
    }
    isFinished = true
    let top = writer.reserve()
    writer.setDictionary(top, keys: pendingKeys, values: pendingValues)
    let objects = writer.reserve()
    writer.setArray(objects, nodes.lazy.map(\.body))
    let keys = ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) }
    let values = [
      writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), top, objects,
    ]
    writer.setDictionary(topReference, keys: keys, values: values)
    do {
      let finished = writer
      writer = BinaryPropertyListWriter()
      return try finished.finish(top: topReference)
    } catch {
      throw ArchiveError(error, path: "")
    }
  }

  // MARK: Nodes

  /// Takes the next number in `$objects` for a body.
  func addNode(body: PropertyListReference) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: nodes.count)
    nodes.append(Node(uid: writer.addUID(number), body: body))
    return number
  }

  /// The node of a string, which equal strings share.
  func node(ofString text: String) throws -> UInt32 {
    if text == "$null" { return try boxedNull() }
    let body = writer.addString(text)
    let place = Int(body)
    if place < nodeOfString.count, nodeOfString[place] != 0 { return nodeOfString[place] }
    while nodeOfString.count <= place { nodeOfString.append(0) }
    let number = addNode(body: body)
    nodeOfString[place] = number
    return number
  }

  /// The text `$null` would be read as "none", so it is boxed as Apple does.
  private func boxedNull() throws -> UInt32 {
    try collection(chain: ["NSString", "NSObject"]) {
      try addField("NS.string", writer.addString("$null"))
    }
  }

  /// Encodes an object of a Foundation class whose fields `body` adds.
  func collection(chain: [String], _ body: () throws -> Void) throws -> UInt32 {
    let classIndex = classIndex(chain: chain)
    let number = addNode(body: writer.reserve())
    try encodeFields(of: number, classIndex: classIndex, body)
    return number
  }

  /// Adds the fields of a node with `body`, then the class, and fills the node's body.
  func encodeFields(of number: UInt32, classIndex: Int, _ body: () throws -> Void) throws {
    let first = pendingKeys.count
    frames.append(Frame(firstField: first, classIndex: classIndex))
    do {
      try body()
    } catch {
      failure = failure ?? error
      throw error
    }
    frames.removeLast()
    let record = classRecord(classIndex)
    pendingKeys.append(writer.addString("$class"))
    pendingValues.append(nodes[Int(record)].uid)
    writer.setDictionary(
      nodes[Int(number)].body, keys: pendingKeys[first...], values: pendingValues[first...])
    pendingKeys.removeLast(pendingKeys.count - first)
    pendingValues.removeLast(pendingValues.count - first)
  }

  // MARK: Fields

  /// Adds a field to the object that is being encoded.
  func addField(_ key: String, _ value: PropertyListReference) throws {
    let frame = frames[frames.count - 1]
    let position = pendingKeys.count - frame.firstField
    let reference = keyReference(key, at: position, classIndex: frame.classIndex)
    if position < 64 {
      for known in pendingKeys[frame.firstField...] where known == reference {
        throw duplicate(key)
      }
    } else if pendingKeys[frame.firstField...].contains(reference) {
      throw duplicate(key)
    }
    pendingKeys.append(reference)
    pendingValues.append(value)
  }

  private func keyReference(
    _ key: String, at position: Int, classIndex: Int
  ) -> PropertyListReference {
    guard classIndex >= 0 else { return writer.addString(mangled(key)) }
    if position < classes[classIndex].keys.count {
      let known = classes[classIndex].keys[position]
      if known.text == key, known.text.utf8.count == key.utf8.count { return known.reference }
    }
    let reference = writer.addString(mangled(key))
    if position < classes[classIndex].keys.count {
      classes[classIndex].keys[position] = (key, reference)
    } else if position == classes[classIndex].keys.count, position < 256 {
      classes[classIndex].keys.append((key, reference))
    }
    return reference
  }

  func duplicate(_ key: String) -> ArchiveError {
    let error = ArchiveError(.duplicateKey, path: path(key), "the key is encoded twice")
    failure = failure ?? error
    return error
  }

  /// Where in the graph the encoding stands, for messages.
  func path(_ key: String) -> String {
    let names = frames.dropFirst().map { classes[$0.classIndex].chain.first ?? "?" }
    return (["$top"] + names).joined(separator: ".") + "." + key
  }
}

/// A client's key as it is stored: one that begins with `$` gets one more.
func mangled(_ key: String) -> String {
  key.utf8.first == 0x24 ? "$" + key : key
}
