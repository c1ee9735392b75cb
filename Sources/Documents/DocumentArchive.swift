package import Archiving
import PortolanGraphics
package import PropertyLists

/// Documents as bytes: archiving, and opening of any version ever shipped.
package enum DocumentArchive {
  /// The document as a keyed archive; the same bytes for the same document.
  package static func bytes(of document: Document) throws -> [UInt8] {
    try KeyedArchiver.archive(document)
  }

  /// An opened document, and its migration.
  package struct Opened: Sendable {
    package var document: Document
    /// The version of the bytes.
    package var version: Int
    /// The migrations to the present version; empty if it was in that one, or in a newer.
    package var steps: [Migrations.Step]
    /// Why the document cannot be written again unchanged; `nil` if it can, or if it is of a newer
    /// version.
    ///
    /// Unknown parts are kept unread, and may be damaged.
    package var damage: String?

    /// The version of the bytes, if they were migrated.
    package var migratedFrom: Int? { steps.first?.version }
  }

  /// Makes the document of an archive.
  ///
  /// - Throws: `ArchiveError` or `DocumentError`, never traps, whatever the bytes.
  package static func open(_ bytes: [UInt8]) throws -> Opened {
    try open(ObjectGraph(bytes))
  }

  /// The same with other kinds of views than those of `ViewKinds.all`.
  package static func open(_ bytes: [UInt8], views: [any View.Type]) throws -> Opened {
    try ViewKinds.with(views) { try open(bytes) }
  }

  /// Makes as much of the document as a question needs, of an archive that is read in parts.
  ///
  /// Only sound documents of the present version are read so, without unknown parts and without
  /// conflicts of a merge.
  ///
  /// - Returns: `nil` if the archive has to be read whole: to tell what is wrong, or to keep a part
  ///   that is not understood. It may have changed since: see `ByteReader.checkSource()`.
  package static func open(_ source: some RandomAccessSource, for needs: DocumentNeeds) -> Document?
  {
    guard let graph = try? ObjectGraph(source: source), graph.list.reader.isPaged,
      (try? version(of: graph)) == Document.formatVersion,
      let unarchiver = try? KeyedUnarchiver(graph: graph)
    else { return nil }
    let later = needs.haveShapes ? LaterGeometry(keepsOutlines: needs == .allLater) : nil
    defer { later?.end() }
    let made = try? DocumentNeeds.current.withValue(needs) {
      try LaterGeometry.current.withValue(later) {
        try unarchiver.decodeObject(Document.self, forKey: "root")
      }
    }
    guard let made, let document = later.map({ $0.filled(made) }) ?? made, !unarchiver.hasKeptParts,
      document.conflicts.isEmpty,
      (try? graph.list.reader.checkSource()) != nil
    else { return nil }
    return document
  }

  /// Throws if coordinates that were left in the file could not be read for the picture, or may
  /// have changed since the document was opened for it.
  package static func checkDrawn(_ document: Document) throws {
    var stored: (any StoredCoordinates)?
    for case let layer as any BlockHolding in document.layers {
      for block in layer.blocks {
        // All are of one file.
        stored = stored ?? block.geometry.stored
        if block.geometry.hasLostCoordinates {
          throw DocumentError(.corrupt, "coordinates that could not be read")
        }
      }
    }
    try stored?.check()
  }

  /// Makes the document of a graph; one of a newer version as far as it is known.
  package static func open(_ graph: ObjectGraph) throws -> Opened {
    let version = try version(of: graph)
    let (lifted, steps) = try Migrations.lift(graph, from: version)
    let unarchiver = try KeyedUnarchiver(graph: lifted)
    do {
      let document = try unarchiver.decodeObject(Document.self, forKey: "root")
      var opened = Opened(document: document, version: version, steps: steps)
      if unarchiver.hasKeptParts, document.newerVersion == nil {
        do { _ = try bytes(of: document) } catch { opened.damage = "\(error)" }
      }
      return opened
    } catch  where version > Document.formatVersion {
      throw DocumentError(
        .newerVersion, path: "root.formatVersion",
        "written in version \(version) of the format, and this Portolan, which knows up to "
          + "\(Document.formatVersion), cannot make sense of it (\(error))")
    }
  }

  /// The format version of a document's archive.
  ///
  /// - Throws: if it is no document.
  package static func version(of graph: ObjectGraph) throws -> Int {
    let root = try DocumentRoot(graph)
    guard root.className == Document.archivedClass.name else {
      throw DocumentError(
        .corrupt, path: "root", "not a map document, but \(root.className ?? "something else")")
    }
    guard let version = root.formatVersion, version >= 1 else {
      throw DocumentError(.corrupt, path: "root.formatVersion", "the version is missing")
    }
    return version
  }
}

/// The description of an archive's `root` object, read without making anything.
package struct DocumentRoot: Sendable {
  /// The class of the root object; `nil` if it is none.
  package var className: String?
  /// The version of the format, if there is one.
  package var formatVersion: Int?

  package init(_ graph: ObjectGraph) throws {
    guard let top = try graph.top.first(where: { $0.key == "root" }),
      case .reference(let reference) = try graph.content(of: top.value)
    else { return }
    let node = try graph.node(reference)
    className = node.classChain.first
    guard let field = node.fields.first(where: { $0.key == "formatVersion" }),
      case .integer(let number) = try graph.content(of: field.value)
    else { return }
    formatVersion = Int(exactly: number)
  }
}
