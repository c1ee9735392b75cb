package import Archiving

/// The difference between two documents: the record of an edit in the journal.
///
/// Documents share their unchanged parts, so the changed ones are found by identity: a change costs
/// as much as the edit, whatever the size of the document. Everything but the layers' content and
/// the fields of `LayerFieldsChange`, which is little, is recorded whole and only if it differs, as
/// the keyed archive of a document file: so kept unknown parts come through, and a newer program
/// can migrate it.
///
///     let change = try DocumentChange(from: before, to: after)
///     try change.applied(to: before)  // is `after` again
package struct DocumentChange: Sendable {
  /// The new document without the content of its layers; `nil` if that is unchanged.
  private var frame: [UInt8]?
  /// The layers whose content changed.
  private var layers: [any LayerChange] = []

  /// Whether both documents are the same.
  package var isEmpty: Bool { frame == nil && layers.isEmpty }

  /// Finds the difference.
  ///
  /// - Throws: `DocumentError` or `ArchiveError` if the new document cannot be archived.
  /// - Complexity: O(blocks + size of the change); changed blocks are compared as memory.
  package init(from former: Document, to new: Document) throws {
    try self.init(from: former, to: new) { (try Self.frame(of: former), try Self.frame(of: new)) }
  }

  /// Finds the difference between two versions of one history.
  ///
  /// - Parameter frames: those of the versions compared before.
  package init(
    from former: History<Document>.Version, to new: History<Document>.Version,
    frames: inout DocumentFrames
  ) throws {
    try self.init(from: former.value, to: new.value) {
      (try frames.frame(of: former), try frames.frame(of: new))
    }
  }

  /// - Parameter frames: those of both, asked for where they may differ.
  private init(
    from former: Document, to new: Document, frames: () throws -> ([UInt8], [UInt8])
  ) throws {
    for (place, layer) in new.layers.enumerated() {
      guard var change = layer.change(from: former[layer: layer.id]) else { continue }
      change.layer = place
      layers.append(change)
    }
    // A layer has one change: where its content differs too, its fields are in the frame.
    if let fields = new.fieldChanges(from: former),
      Set(layers.map(\.layer)).isDisjoint(with: fields.map(\.layer))
    {
      layers = (layers + fields).sorted { $0.layer < $1.layer }
      return
    }
    let (formerFrame, frame) = try frames()
    if frame != formerFrame { self.frame = frame }
  }

  /// The document after the change.
  ///
  /// - Throws: `DocumentError` or `ArchiveError` if the change does not belong to this document.
  package func applied(to former: Document) throws -> Document {
    var document = former
    if let frame {
      document = try DocumentArchive.open(frame).document
      for place in document.layers.indices {
        let layer = document.layers[place]
        if let old = former[layer: layer.id] { document.layers[place] = layer.filled(from: old) }
      }
    }
    var last = -1
    for change in layers {
      guard change.layer > last, change.layer < document.layers.count else {
        throw BlockArrays.misfit("layers")
      }
      let bare = document.layers[change.layer]
      document.layers[change.layer] = try change.applied(to: former[layer: bare.id], as: bare)
      last = change.layer
    }
    return document
  }

  /// A document with bare layers, as bytes; the same bytes for the same document.
  fileprivate static func frame(of document: Document) throws -> [UInt8] {
    var bare = document
    bare.layers = document.layers.map { $0.bare() }
    return try DocumentArchive.bytes(of: bare)
  }
}

/// The frames of the two versions compared last: a step after a step encodes only its own.
package struct DocumentFrames: Sendable {
  private var known: [(serial: Int, bytes: [UInt8])] = []

  package init() {}

  fileprivate mutating func frame(of version: History<Document>.Version) throws -> [UInt8] {
    if let known = known.first(where: { $0.serial == version.serial }) { return known.bytes }
    let bytes = try DocumentChange.frame(of: version.value)
    if known.count == 2 { known.removeFirst() }
    known.append((version.serial, bytes))
    return bytes
  }
}

extension DocumentChange: Coding {
  package static var archivedClass: ArchivedClass { "PortolanDocumentChange" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeBool(frame != nil, forKey: "hasFrame")
    if let frame { try coder.encodeBytes(frame, forKey: "frame") }
    try coder.encodeObjects(layers, forKey: "layers")
  }

  package init(coder: any DecodingCoder) throws {
    frame = try coder.decodeBool(forKey: "hasFrame") ? coder.decodeBytes(forKey: "frame") : nil
    layers = try coder.decodeObjects(in: LayerKinds.changes, forKey: "layers")
  }
}
