package import Archiving
package import PortolanFiles

/// Of which document a journal is, and who writes it.
package struct JournalHead: Hashable, Sendable {
  /// What the first step begins with.
  package enum Base: Hashable, Sendable {
    /// The document file as it was read or written last.
    case file(FileIdentity)
    /// A document that stands in the journal itself; its file, if there is one, was this one.
    case embedded(FileIdentity?)
  }

  /// Whether the first document has to stand in the journal.
  package var isEmbedded: Bool {
    if case .embedded = base { true } else { false }
  }

  /// The real path of the document or of the data it came from; empty for one without a name.
  package var path: String
  package var base: Base
  /// Whether the first version was as it stood in its file, or as it was begun: not edited.
  package var isBaseSaved: Bool
  /// How the first version came to be, in the words of the history.
  package var title: String
  /// When the journal was begun, in seconds since 1970.
  package var begun: Double
  /// The process that writes it, for people: the kernel's lock tells whether it still does.
  package var process: Int

  package init(
    path: String, base: Base, isBaseSaved: Bool = true, title: String, begun: Double, process: Int
  ) {
    self.path = path
    self.base = base
    self.isBaseSaved = isBaseSaved
    self.title = title
    self.begun = begun
    self.process = process
  }
}

extension JournalHead: Coding {
  package static var archivedClass: ArchivedClass { "PortolanJournalHead" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(path, forKey: "path")
    try coder.encodeBool(isBaseSaved, forKey: "isBaseSaved")
    try coder.encodeString(title, forKey: "title")
    try coder.encodeDouble(begun, forKey: "begun")
    try coder.encodeInt(process, forKey: "process")
    let identity: FileIdentity?
    switch base {
    case .file(let known): identity = known
    case .embedded(let known): identity = known
    }
    try coder.encodeBool(isEmbedded, forKey: "isEmbedded")
    try coder.encodeBool(identity != nil, forKey: "hasFile")
    guard let identity else { return }
    try coder.encodeInt64(Int64(bitPattern: identity.device), forKey: "device")
    try coder.encodeInt64(Int64(bitPattern: identity.inode), forKey: "inode")
    try coder.encodeInt64(identity.size, forKey: "size")
    try coder.encodeInt64(identity.modified, forKey: "modified")
  }

  package init(coder: any DecodingCoder) throws {
    path = try coder.decodeString(forKey: "path")
    isBaseSaved = try coder.decodeBool(forKey: "isBaseSaved")
    title = try coder.decodeString(forKey: "title")
    begun = try coder.decodeDouble(forKey: "begun")
    process = try coder.decodeInt(forKey: "process")
    base = .embedded(nil)
    let isEmbedded = try coder.decodeBool(forKey: "isEmbedded")
    guard try coder.decodeBool(forKey: "hasFile") else { return }
    let identity = FileIdentity(
      device: UInt64(bitPattern: try coder.decodeInt64(forKey: "device")),
      inode: UInt64(bitPattern: try coder.decodeInt64(forKey: "inode")),
      size: try coder.decodeInt64(forKey: "size"),
      modified: try coder.decodeInt64(forKey: "modified"))
    base = isEmbedded ? .embedded(identity) : .file(identity)
  }
}
