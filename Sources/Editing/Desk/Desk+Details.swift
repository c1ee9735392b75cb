import PortolanDocuments
import PortolanTerminals
import PortolanTexts

/// One feature with all its parts and values.
extension Desk {
  /// Shows the selected feature, its values whole; a script prints it.
  mutating func openDetails() throws {
    guard let reference = selection.currentFeature, let feature = document.feature(reference) else {
      throw nothingSelected()
    }
    let rows = SelectionPanel.rows(self, feature)
    let room = isHeadless ? Int.max : max(20, HelpOverlay.area(layout, screenSize).columns - 4)
    let widest = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
    let nameWidth = min(widest, max(8, min(room, 240) / 3))
    var lines: [String] = []
    for row in rows {
      let names = WholeText.lines(row.name, columns: nameWidth)
      let values = WholeText.lines(row.value, columns: room - nameWidth - 2)
      for index in 0..<max(names.count, values.count) {
        let name = names.indices.contains(index) ? names[index] : ""
        let value = values.indices.contains(index) ? values[index] : ""
        let fill = String(repeating: " ", count: max(1, nameWidth + 2 - DisplayWidth.of(name)))
        lines.append(value.isEmpty ? name : name + fill + value)
      }
    }
    if isHeadless {
      send(.print(lines))
    } else {
      help = Help(title: describe(reference), lines: lines, keyColumns: nameWidth)
    }
  }
}

/// Text wrapped into lines without loss.
enum WholeText {
  /// The lines of a text for display, each at most `columns` wide where its characters allow that:
  /// broken at line ends, after blanks, and in words that are too long.
  ///
  /// Nothing is left out but line ends; controls become visible pictures.
  ///
  /// - Complexity: O(characters).
  static func lines(_ text: String, columns: Int) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { broken(String($0), columns: max(1, columns)) }
  }

  private static func broken(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line: [DisplayCluster] = []
    var width = 0
    var behindBlank = 0
    for cluster in DisplayClusters(text) {
      while cluster.columns > columns - width, !line.isEmpty {
        let end = behindBlank > 0 ? behindBlank : line.count
        lines.append(joined(line[..<end]))
        line.removeFirst(end)
        width = line.reduce(0) { $0 + $1.columns }
        behindBlank = 0
      }
      line.append(cluster)
      width += cluster.columns
      if cluster.text == nil, cluster.first == " " { behindBlank = line.count }
    }
    return lines + [joined(line[...])]
  }

  private static func joined(_ clusters: ArraySlice<DisplayCluster>) -> String {
    var text = ""
    for cluster in clusters {
      if let whole = cluster.text {
        text += whole
      } else {
        text.unicodeScalars.append(cluster.first)
      }
    }
    return text
  }
}
