/// The bookmarks of a file of map data, which has no room for them itself, in the state folder.
///
/// `bookmarks/NAME` has one a line: its name as `WordText`, x, y, and the magnification if there is
/// one.
package struct DataBookmarks: Sendable {
  /// A bookmark as a line.
  package struct Line: Hashable, Sendable {
    package var name: String
    /// x, y, and perhaps the magnification.
    package var numbers: [Double]

    package init(name: String, numbers: [Double]) {
      self.name = name
      self.numbers = numbers
    }
  }

  private let state: StateFolder
  private let fileSystem: any FileSystem
  private let name: String

  /// The number of bookmarks that are read.
  package static let countMax = 1000
  private static let sizeMax = 1 << 20

  /// - Parameter path: that of the data, links resolved.
  package init(of path: String, in state: StateFolder, _ fileSystem: any FileSystem) {
    self.state = state
    self.fileSystem = fileSystem
    name = StateFolder.name(for: path)
  }

  /// The lines; none where the file cannot be read.
  package func lines() -> [Line] {
    let path = FilePath.join(state.path(of: .bookmarks), name)
    guard let bytes = try? fileSystem.read(path, limit: Self.sizeMax) else { return [] }
    var known = Set<[UInt8]>()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.prefix(Self.countMax).compactMap { line in
      let words = line.split(separator: " ")
      guard let first = words.first,
        let name = String(validating: WordText.unescaped(first), as: UTF8.self)
      else { return nil }
      let numbers = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
      guard numbers.count == words.count - 1, (2...3).contains(numbers.count), !name.isEmpty,
        known.insert(Array(name.utf8)).inserted
      else { return nil }
      return Line(name: name, numbers: numbers)
    }
  }

  /// Writes all lines.
  package func write(_ lines: [Line]) throws(FileError) {
    let text = lines.prefix(Self.countMax).map { line in
      let words = [WordText.escaped(line.name.utf8)] + line.numbers.map(\.description)
      return words.joined(separator: " ") + "\n"
    }
    var options = SaveOptions()
    options.newFileMode = 0o600
    _ = try fileSystem.save(
      Array(text.joined().utf8),
      to: FilePath.join(try state.make(.bookmarks, in: fileSystem), name),
      expecting: .anything, options: options)
  }
}
