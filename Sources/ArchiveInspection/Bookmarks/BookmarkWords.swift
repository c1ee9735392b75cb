/// What a bookmark leads to, in a line.
struct BookmarkWords {
  /// The path of the file.
  var path: String?
  /// The name of the volume, and when the file was made.
  var rest: String

  /// - Parameter archive: the graph of a bookmark.
  init(_ archive: InspectedArchive) {
    func value(_ key: String) -> InspectedValue? { archive.value(forKey: key, in: archive.top) }
    if case .node(let row)? = value("path"), archive.record(of: row).kind == .array {
      let parts = (0..<archive.valueCount(of: row)).compactMap {
        archive.text(of: archive.value($0, of: row))?.text
      }
      path = "/" + parts.joined(separator: "/")
    }
    var words: [String] = []
    if let name = archive.shortText(value("volumeName")) { words.append("on \(name)") }
    if case .date(let seconds)? = value("creationDate"), let date = InspectionText.date(seconds) {
      words.append("created \(date)")
    }
    rest = words.joined(separator: ", ")
  }

  /// The words of the bookmark that data hold; `nil` where they hold none that can be read.
  static func of(_ range: Range<Int>, in archive: InspectedArchive) -> BookmarkWords? {
    guard BookmarkReader.recognises(archive.slice(range, 16)),
      let bookmark = try? BookmarkReader.archive(archive.slice(range))
    else { return nil }
    return BookmarkWords(bookmark)
  }

  /// How many bytes of bookmarks are read for the words in one output.
  static func byteCountMax(_ byteCount: Int) -> Int { 1 << 20 + 4 * min(byteCount, .max >> 8) }
}
