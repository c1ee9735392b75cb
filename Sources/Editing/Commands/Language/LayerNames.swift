import PortolanDocuments

/// Lists of layer names in options.
enum LayerNames {
  /// The layers of lists, in the order of the document; a group stands for all layers in it.
  static func ids(_ lists: [String], in document: Document) throws -> [LayerID] {
    let known = Set(document.layers.map(\.name))
    let wanted = Set(try lists.flatMap { try names($0, of: known) })
    return document.layers.filter { layer in
      wanted.contains(layer.name)
        || document.groups(around: layer).contains { wanted.contains($0.name) }
    }.map(\.id)
  }

  /// A name as a list has it.
  static func quoted(_ name: String) -> String { name.contains(",") ? "\"\(name)\"" : name }

  /// The names in a list for a file whose layers are not known yet.
  static func split(_ list: String) -> [String] { parts(list).map(unquoted) }

  /// The names in a list with commas between; a name with a comma may stand in double quotes, and
  /// needs them only where its parts are names, too.
  private static func names(_ list: String, of known: Set<String>) throws -> [String] {
    let parts = parts(list)
    /// The names from each part on; `nil` where the rest is none.
    var rests: [[String]?] = Array(repeating: nil, count: parts.count) + [[]]
    for start in parts.indices.reversed() {
      for end in start..<parts.count {
        guard let rest = rests[end + 1] else { continue }
        let text = parts[start...end].joined(separator: ",")
        if let name = [text, unquoted(text), trimmed(text)].first(where: known.contains) {
          rests[start] = [name] + rest
          break
        }
      }
    }
    if let names = rests[0] { return names }
    let unknown = parts.map(unquoted).first { !known.contains($0) && !known.contains(trimmed($0)) }
    throw EditingError(
      .notFound, "no layer “\(unknown ?? list)”: \(existing(known.sorted()))")
  }

  /// The layers to choose from: `there are a, b`.
  static func existing(_ names: [String]) -> String {
    switch names.count {
    case 0: "there is none"
    case 1: "there is only “\(names[0])”"
    default: "there are " + names.joined(separator: ", ")
    }
  }

  /// The parts between the commas outside of quotes.
  private static func parts(_ list: String) -> [String] {
    var isQuoted = false
    return list.split(omittingEmptySubsequences: false) { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }.map { String($0) }
  }

  private static func unquoted(_ text: String) -> String {
    let text = trimmed(text)
    guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }

  private static func trimmed(_ text: String) -> String {
    let rest = text.drop(while: \.isWhitespace)
    return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
  }
}
