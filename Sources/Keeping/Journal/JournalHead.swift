package import Archiving
package import PortolanFiles

/// The document and the writer of a journal.
package struct JournalHead: Hashable, Sendable {
  /// The base document of the first step.
  package enum Base: Hashable, Sendable {
    /// The document file as last read or written.
    case file(FileIdentity)
    /// A document in the journal itself, and the identity of its file, if there is one.
    case embedded(FileIdentity?)
  }

  /// Whether the base document has to be in the journal.
  package var isEmbedded: Bool {
    if case .embedded = base { true } else { false }
  }

  /// The real path of the document or of its source; empty for an unnamed one.
  package var path: String
  package var base: Base
  /// Whether the base version was saved (or new and unedited).
  package var isBaseSaved: Bool
  /// The title of the base version in the history.
  package var title: String
  /// The time of the journal's beginning, in seconds since 1970.
  package var begun: Double
  /// The process of the writer, for people: the kernel's lock tells whether it is alive.
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
