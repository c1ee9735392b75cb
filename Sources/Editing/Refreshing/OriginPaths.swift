import PortolanDocuments
import PortolanFiles

/// The paths of source files in documents: in the file of a document those beside it or below are
/// relative to its folder, so that the folder can move; in an open document they are absolute.
enum OriginPaths {
  /// The absolute path of a source.
  ///
  /// - Parameter document: the real path of the document's file; `nil` if it has none.
  static func absolute(_ source: String, besides document: String?) -> String {
    guard let document, source.utf8.starts(with: prefix.utf8) else { return source }
    let rest = String(source.unicodeScalars.dropFirst(2))
    return FilePath.join(FilePath.folder(of: document), rest)
  }

  /// The path of a source as the file of a document keeps it, such as `./data/towns.csv`.
  ///
  /// - Parameter document: the real path of that file.
  static func kept(_ source: String, besides document: String) -> String {
    let folder = FilePath.join(FilePath.folder(of: document), "")
    guard FilePath.isAbsolute(source), FilePath.isAbsolute(folder),
      source.utf8.starts(with: folder.utf8), source.utf8.count > folder.utf8.count
    else { return source }
    return prefix + String(source.unicodeScalars.dropFirst(folder.unicodeScalars.count))
  }

  /// What a kept path begins with: no line of a database does.
  private static let prefix = "./"
}

extension Document {
  /// The document with other paths of the files that its layers were read from.
  func mappingOrigins(_ path: (String) -> String) -> Document {
    var document = self
    for (index, layer) in layers.enumerated() {
      guard var layer = layer as? any OriginKeeping, let origin = layer.origin else { continue }
      let mapped = path(origin.source)
      if mapped.utf8.elementsEqual(origin.source.utf8) { continue }
      layer.origin?.source = mapped
      document.layers[index] = layer
    }
    return document
  }
}
