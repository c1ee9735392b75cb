import PortolanDocuments
import PortolanFiles
import PortolanInterchange

/// The codec of map data in any format: file to document, and the document back to its file.
struct ImportCodec: FileCodec {
  var path: String
  /// The title of the documents that are read.
  var title: String
  /// How it is read.
  var reading: (any FormatOptions)?
  private let importer: any Importer
  /// Where the files beside it are.
  private let files: (any FileSystem)?
  /// The base version for the next save; `nil` before the file is read.
  fileprivate var base: Base?
  /// Whether the format writes what it reads.
  private(set) var isWritable = true

  var isArchive: Bool { false }

  init(
    _ importer: any Importer, path: String, title: String,
    reading: (any FormatOptions)? = nil, files: (any FileSystem)? = nil
  ) {
    (self.importer, self.path, self.title) = (importer, path, title)
    (self.reading, self.files) = (reading, files)
  }

  /// The file as last read or written.
  fileprivate struct Base {
    var exporter: any Exporter
    /// The document that was read from it or written to it.
    var document: Document
    /// The layer of the file's data.
    var layer: LayerID
    /// The bytes of the file, where the format needs them.
    var bytes: [UInt8] = []
    /// The mark of the bytes that were read: the first save finds out whether the format
    /// reproduces them.
    var mark: ContentMark?
    /// The looks that the layer had when it was read: a file that changes may give it another.
    var looks: Set<Style.Content> = []
    /// The losses that the user has accepted before.
    var accepted: Set<String> = []
  }

  // MARK: Reading

  func decode(
    _ bytes: [UInt8], progress: (Double) throws -> Void
  ) throws -> DecodedFile {
    let options = ImportOptions(
      name: InputName.stem(of: path), firstLayerID: Document().nextID, own: reading)
    let source = FileSource(bytes, path: path, in: files)
    let result = try importer.wanted(of: source, options: options, progress: progress)
    var file = DecodedFile(
      World.document(of: result, title: title),
      notices: result.notices + (result.assumption.map { [$0] } ?? []))
    file.warnings = result.warnings
    var codec = self
    if let exporter = importer as? any Exporter, result.layers.count == 1,
      (reading as? ReadingOptions)?.isWhole ?? true,
      let layer = file.document.layers.first
    {
      codec.base = Base(exporter: exporter, document: file.document, layer: layer.id)
      codec.base?.looks = (base?.looks ?? []).union([layer.style.content])
      // A small file is kept in any case: some formats cannot be told by a file without features.
      let isKept = exporter.needsFormerBytes || bytes.count < 1024
      codec.base?.bytes = isKept ? bytes : []
      if !exporter.needsFormerBytes { codec.base?.mark = ContentMark(bytes) }
    } else {
      codec.isWritable = false
    }
    file.codec = codec
    return file
  }

  // MARK: Writing

  func encode(_ document: Document) throws -> EncodedFile {
    guard var base else {
      throw Failure(
        .unsupported, subject: path, what: "was not read as map data: " + Self.advice)
    }
    guard let layer = document[layer: base.layer] as? any FeatureHolding else {
      throw Failure(
        .unsupported, subject: path,
        what: "its layer is gone, and nothing else has a place in it: u brings it back, "
          + Self.advice)
    }
    var losses = document.losses(
      against: base.document, besides: base.layer, looks: base.looks,
      keepsSystem: base.exporter.limits.holdsSystem)
    if try !base.comesBack(reading) {
      losses.append("how some of it was written, which is done anew")
    }
    let written: RewrittenFile
    do {
      written = try base.rewritten(layer, of: document, reading)
    } catch let error as ExportError {
      throw Failure(.unsupported, subject: path, what: "\(error)")
    }
    // Losses accepted once are not asked about again.
    losses = (losses + written.losses).filter { !base.accepted.contains($0) }
    base.accepted.formUnion(losses)
    base.document = document
    base.bytes = base.exporter.needsFormerBytes ? written.bytes : []
    base.mark = nil
    var encoded = EncodedFile(written.bytes, losses: losses)
    var codec = self
    codec.base = base
    encoded.codec = codec
    return encoded
  }

  private static let advice = "save NAME.doc keeps all, export writes layers"

  /// Whether the endings of two names are those of the same format; no ending is none.
  static func isSameFormat(_ path: String, _ other: String) -> Bool {
    guard let format = FileFormats.exporters.first(where: { $0.isFor(path) }) else { return false }
    return FileFormats.exporters.first { $0.isFor(other) }?.name == format.name
  }
}

extension ImportCodec.Base {
  fileprivate func rewritten(
    _ layer: any FeatureHolding, of document: Document, _ reading: (any FormatOptions)?
  ) throws -> RewrittenFile {
    guard let former = self.document[layer: self.layer] as? any FeatureHolding else {
      throw ExportError(.noSuchLayer, "\(self.layer.rawValue)")
    }
    return try exporter.rewrite(
      layer, over: FormerFile(bytes, former, options: reading),
      system: document.metadata.systemOfExports)
  }

  /// Whether the format reproduces the file that was read.
  fileprivate func comesBack(_ reading: (any FormatOptions)?) throws -> Bool {
    guard let mark, let former = document[layer: layer] as? any FeatureHolding else {
      return true
    }
    return try ContentMark(rewritten(former, of: document, reading).bytes) == mark
  }
}

extension Document {
  /// The new losses of a save to the data's file, one phrase each.
  ///
  /// The viewpoint is no part of the data.
  ///
  /// - Parameters:
  ///   - data: the layer of the file's data.
  ///   - looks: the looks that reading gave it.
  ///   - keepsSystem: whether the file names the system of its coordinates.
  fileprivate func losses(
    against former: Document, besides data: LayerID, looks: Set<Style.Content>, keepsSystem: Bool
  ) -> [String] {
    var losses: [String] = []
    var metadata = metadata
    metadata.coordinateSystem = former.metadata.coordinateSystem
    metadata.units = former.metadata.units
    if metadata != former.metadata { losses.append("the document's metadata") }
    if self.metadata.coordinateSystem != former.metadata.coordinateSystem, !keepsSystem {
      losses.append("the coordinate system \(self.metadata.coordinateSystem.name)")
    }
    let names = { (document: Document) in
      document.views.map { [$0.name, ($0 as? any MapShowing)?.mapName ?? ""] }
    }
    if names(self) != names(former) { losses.append("the views") }
    // Other layers are in no file, whenever they were added.
    for layer in layers where layer.id != data {
      let what = layer.isGroup ? "group" : "layer"
      losses.append("the \(what) “\(layer.name)”")
    }
    guard let layer = self[layer: data], let known = former[layer: data] else { return losses }
    if !layer.name.hasSameBytes(as: known.name) {
      losses.append("the name of the layer, “\(layer.name)”")
    }
    if layer.title != known.title { losses.append("the title of the layer, “\(layer.title)”") }
    if layer.style !== known.style, layer.style.content != known.style.content,
      !looks.contains(layer.style.content)
    {
      losses.append("how the layer looks")
    }
    if layer.isVisible != known.isVisible {
      losses.append("that the layer is \(layer.isVisible ? "shown" : "hidden")")
    }
    if layer.zooms != known.zooms { losses.append("the zooms of the layer") }
    if layer.isLocked != known.isLocked {
      losses.append("that the layer is \(layer.isLocked ? "locked" : "unlocked")")
    }
    if layer.parent != known.parent { losses.append("the group of the layer") }
    return losses
  }
}
