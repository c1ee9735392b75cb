import PortolanDocuments
import PortolanExpressions
import PortolanFiles

/// The layers at the beginning of files, read within a time.
struct FileHeads {
  private let world: World
  /// By the clock of the files, in nanoseconds.
  private let deadline: Int64

  /// Larger texts are cut, behind so many bytes.
  private static let bytesMax = 2 << 20

  init(_ world: World, deadline: Int64) {
    self.world = world
    self.deadline = deadline
  }

  /// The layers of some files; those that are none, cannot be read or take too long have none.
  ///
  /// - Parameter head: the beginning of the expression for whose completion they are read.
  func layers(of paths: some Sequence<String>, for head: String) -> [any FeatureHolding] {
    var layers: [any FeatureHolding] = []
    for path in paths where world.files.time < deadline {
      let document = document(path, for: head)
      layers += document?.layers.compactMap { $0 as? any FeatureHolding } ?? []
    }
    return layers
  }

  private func document(_ path: String, for head: String) -> Document? {
    guard let status = try? world.files.status(path, in: nil), status.kind == .regular else {
      return nil
    }
    // Of a stored document the names are enough, and the values of one attribute.
    var names: [String] = []
    if case .value(of: let name?)? = ExpressionHead(head)?.wanted { names = [name] }
    let needs = DocumentNeeds.columns(ColumnNames(names))
    if status.identity.size > Self.bytesMax, let part = cut(path) { return part }
    return open(path, in: world, needs)
  }

  /// The document of the whole features at the beginning of a text; `nil` for other files.
  private func cut(_ path: String) -> Document? {
    guard let bytes = head(of: path), let name = path.split(separator: "/").last else {
      return nil
    }
    var parts: [[UInt8]] = []
    if let end = FeatureListEnd.of(bytes) { parts.append(bytes[..<end] + Array("]}".utf8)) }
    if !bytes.contains(0), let end = bytes.lastIndex(of: 0x0A) {
      parts.append(Array(bytes[...end]))
    }
    for part in parts {
      let files = MemoryFileSystem(files: ["/" + name: part])
      if let document = open("/" + name, in: World(files: files), .all) { return document }
    }
    return nil
  }

  private func open(_ path: String, in world: World, _ needs: DocumentNeeds) -> Document? {
    let cancellation = Cancellation()
    let clock = self.world.files
    let progress = World.Progress(cancellation: cancellation) { [deadline] _ in
      if clock.time > deadline { cancellation.cancel() }
    }
    return try? world.open(path, progress, needs: needs).document
  }

  private func head(of path: String) -> [UInt8]? {
    guard let file = try? world.files.open(path, in: nil, .read) else { return nil }
    defer { try? world.files.close(file) }
    var head = [UInt8](repeating: 0, count: Self.bytesMax)
    var count = 0
    while count < head.count {
      let read = try? head.withUnsafeMutableBytes {
        try world.files.read(file, into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
      }
      guard let read else { return nil }
      if read == 0 { break }
      count += read
    }
    return Array(head[..<count])
  }
}

/// The end of the last whole feature in the beginning of a GeoJSON text.
private enum FeatureListEnd {
  /// The offset behind it; `nil` for other texts, and without a whole feature.
  static func of(_ bytes: [UInt8]) -> Int? {
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return nil }
    var depth = 0
    var isText = false
    var isEscaped = false
    var end: Int?
    for (offset, byte) in bytes.enumerated() {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        // An object in a list of the outermost object is a feature.
        if depth == 2, byte == UInt8(ascii: "}") { end = offset + 1 }
        if depth <= 0 { return nil }
      default: break
      }
    }
    return end
  }
}
