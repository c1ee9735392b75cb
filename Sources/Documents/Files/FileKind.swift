import Archiving

/// The kind of a file by its first bytes, to explain why it is no document.
package enum FileKind: Hashable, Sendable {
  /// A keyed archive whose root is a map document.
  case document
  /// A keyed archive of something else; the class of its root.
  case otherArchive(String)
  /// A binary property list that is no archive, or a broken one.
  case binaryPropertyList
  case xmlPropertyList
  case typedstream
  case microsoftWord
  case zip
  case gzip
  case xz
  case pdf
  case image
  case json
  case text
  case empty
  case unknown

  /// The kind of a file's bytes; only an archive is read beyond the first few.
  package static func of(_ bytes: [UInt8]) -> FileKind {
    if bytes.isEmpty { return .empty }
    for (kind, magic) in magics where bytes.starts(with: magic) {
      return kind == .binaryPropertyList ? archiveKind(bytes) : kind
    }
    return textKind(bytes.prefix(4096))
  }

  /// The kind in words, to follow "this is".
  package var words: String {
    switch self {
    case .document: "a Portolan document"
    case .otherArchive(let name): "a keyed archive of \(name), not a map document"
    case .binaryPropertyList: "a binary property list, not a keyed archive"
    case .xmlPropertyList: "an XML property list, not a binary archive"
    case .typedstream: "a typedstream archive, not a keyed one"
    case .microsoftWord: "a Microsoft Office file"
    case .zip: "a zip file (a newer Office file, or a package)"
    case .gzip: "compressed with gzip"
    case .xz: "compressed with xz"
    case .pdf: "a PDF"
    case .image: "a picture"
    case .json: "JSON"
    case .text: "text"
    case .empty: "empty"
    case .unknown: "a file of an unknown kind"
    }
  }

  /// The remedy for such a file.
  package var remedy: String {
    switch self {
    case .gzip: "unpack it first (gunzip)"
    case .xz: "unpack it first (unxz)"
    case .json: "if it is GeoJSON, import it"
    case .microsoftWord, .zip, .pdf, .image: "open it with the program that made it"
    case .xmlPropertyList, .typedstream, .otherArchive: "look into it with portolan inspect"
    default: "name a Portolan document, or a map file to import"
    }
  }

  private static let magics: [(kind: FileKind, magic: [UInt8])] = [
    (.binaryPropertyList, Array("bplist00".utf8)),
    (.microsoftWord, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
    (.microsoftWord, [0xDB, 0xA5, 0x2D, 0x00]),
    (.zip, [0x50, 0x4B, 0x03, 0x04]), (.zip, [0x50, 0x4B, 0x05, 0x06]),
    (.gzip, [0x1F, 0x8B]), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    (.typedstream, [0x04, 0x0B] + Array("streamtyped".utf8)),
    (.typedstream, [0x04, 0x0B] + Array("typedstream".utf8)),
    (.pdf, Array("%PDF-".utf8)), (.image, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.image, [0xFF, 0xD8, 0xFF]), (.image, Array("GIF8".utf8)),
  ]

  private static func archiveKind(_ bytes: [UInt8]) -> FileKind {
    guard let root = try? DocumentRoot(ObjectGraph(bytes)) else { return .binaryPropertyList }
    if root.className == Document.archivedClass.name { return .document }
    return .otherArchive(root.className ?? "something else")
  }

  private static func textKind(_ head: ArraySlice<UInt8>) -> FileKind {
    var rest = head
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    if rest.first == 0x7B || rest.first == 0x5B || rest.first == 0x1E { return .json }
    let start = String(decoding: rest.prefix(512), as: UTF8.self)
    if start.hasPrefix("<?xml") || start.hasPrefix("<!DOCTYPE plist"), start.contains("plist") {
      return .xmlPropertyList
    }
    let isText = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    return isText ? .text : .unknown
  }
}
