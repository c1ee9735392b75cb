/// The titles of a document's layers in legends and headings.
///
/// A title is the one that the user gave, else it is made of the layer's name. A name whose title
/// another layer has too stands as it is: no two layers get one title by themselves.
package struct LayerTitles: Sendable {
  private var titles: [LayerID: String] = [:]

  package init(_ layers: [any Layer]) {
    let made = layers.map { $0.title.isEmpty ? Self.title(ofName: $0.name) : $0.title }
    var uses: [String: Int] = [:]
    for title in made { uses[title, default: 0] += 1 }
    for (layer, title) in zip(layers, made) {
      titles[layer.id] = layer.title.isEmpty && uses[title] != 1 ? layer.name : title
    }
  }

  package init(_ document: Document) { self.init(document.layers) }

  /// The title of a layer.
  package func title(of layer: any Layer) -> String { titles[layer.id] ?? layer.name }

  /// A title made of the name of a file: without endings, the marks of Natural Earth (`ne_110m_`,
  /// `admin_0_`, `_simple`) and underscores. The title of a title is the title itself.
  package static func title(ofName name: String) -> String {
    guard name.contains(where: { $0 == "_" || $0 == "." }) || name.hasPrefix("ne ") else {
      return name
    }
    var title = name
    while let shorter = cut(title), shorter != title { title = shorter }
    return title
  }

  /// A name without some of these; `nil` if nothing would be left.
  private static func cut(_ name: String) -> String? {
    var words = name.split { $0 == "_" || $0 == " " }.map(String.init)
    guard let last = words.last else { return nil }
    if let point = last.lastIndex(of: "."), point > last.startIndex,
      endings.contains(last[last.index(after: point)...].lowercased())
    {
      words[words.count - 1] = String(last[..<point])
    }
    if words.count > 2, words[0] == "ne", isScale(words[1]) {
      words.removeFirst(2)
      if words.count > 2, words[0] == "admin", words[1].count == 1, words[1] >= "0",
        words[1] <= "9"
      {
        words.removeFirst(2)
      }
      if words.count > 1, words.last == "simple" { words.removeLast() }
    }
    return words.joined(separator: " ")
  }

  /// Whether a word is one of Natural Earth's scales: `10m`, `50m`, `110m`.
  private static func isScale(_ word: String) -> Bool {
    word.last == "m" && word.count > 1 && word.dropLast().allSatisfy { ("0"..."9").contains($0) }
  }

  private static let endings: Set<String> = [
    "geojson", "json", "geojsonl", "geojsons", "geojsonseq", "ndjson", "jsonl", "topojson", "csv",
    "tsv", "txt", "shp", "kml", "gml", "gpkg", "gpx", "parquet", "doc", "gz", "xz", "zip",
  ]
}
