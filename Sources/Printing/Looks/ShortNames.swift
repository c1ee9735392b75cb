package import PortolanDocuments
import PortolanTexts

/// The titles of layers, and their short forms where there is no room for all of them: without the
/// words with which all begin, `…countries` and `…rivers` for `gb_north_countries` and
/// `gb_north_rivers`.
package struct ShortNames {
  private let titles: LayerTitles
  /// The letters of the beginning that all names share; 0 for none.
  private let shared: Int
  private let ellipsis: String

  /// - Parameter names: of all layers, so that none of them becomes the name of another.
  package init(_ names: [String], signs: ScreenSigns, titles: LayerTitles = LayerTitles([])) {
    self.titles = titles
    ellipsis = signs.ellipsis
    guard let first = names.first, names.count > 1 else {
      shared = 0
      return
    }
    var beginning = Array(first)
    for name in names.dropFirst() {
      let count = zip(beginning, name).prefix { $0 == $1 }.count
      beginning.removeLast(beginning.count - count)
    }
    // It ends with a whole word, and leaves a part of every name.
    let least = names.map(\.count).min() ?? 0
    beginning.removeLast(max(0, beginning.count - max(0, least - 1)))
    let end = beginning.lastIndex { "_- ./:".contains($0) } ?? -1
    shared = end > 0 ? end + 1 : 0
  }

  package init(_ document: Document, signs: ScreenSigns) {
    let titles = LayerTitles(document)
    self.init(document.layers.map(titles.title), signs: signs, titles: titles)
  }

  /// The title of a layer.
  package func title(of layer: any Layer) -> String { titles.title(of: layer) }

  /// The name without the shared beginning; empty if it has none.
  package func short(_ name: String) -> String {
    shared > 0 && name.count > shared ? ellipsis + name.dropFirst(shared) : ""
  }
}

/// The texts of a list: where one of them has no room, all that have a short form stand in it, so
/// that no whole name stands beside a short one.
package struct ListTexts {
  private let isShort: Bool

  /// - Parameter lines: the columns for each text.
  package init(_ lines: some Sequence<(text: String, short: String, columns: Int)>) {
    isShort = lines.contains { !$0.short.isEmpty && DisplayWidth.of($0.text) > $0.columns }
  }

  /// A text within some columns, cut if it has to be.
  package func text(_ text: String, short: String, columns: Int, signs: ScreenSigns) -> String {
    CutText.end(isShort && !short.isEmpty ? short : text, columns: columns, signs: signs)
  }
}
