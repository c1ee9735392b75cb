import PortolanComparing
import PortolanDocuments
import PortolanPrinting
import PortolanTerminals
import PortolanTexts

/// A review as text: each changed feature with its map before and after side by side.
struct ReviewText {
  let difference: MapDifference
  let names: (String, String)
  let maps: ReviewMaps

  private static let columns = 38
  private static let rows = 10

  /// Writes the text in pieces.
  func write(_ send: ([UInt8]) throws -> Void) throws {
    var text = DifferenceText(difference)
    let lines = text.all(names)
    // The head of the difference: its names, the summary and the changes beside the features.
    let head = lines.prefix { !$0.text.isEmpty }
    try tell(head.map(\.text))
    for layer in difference.layers where !layer.isEmpty {
      var notes = layer.notes
      if layer.movedCount > 0 {
        notes.append("\(CountText.features(layer.movedCount)) at another place in the order")
      }
      if difference.layers.count > 1 || !notes.isEmpty {
        let more = notes.isEmpty ? "" : ": " + notes.joined(separator: ", ")
        try tell(["", "layer \(layer.name)\(more)"])
      }
      for feature in layer.features { try tell([""] + entry(feature)) }
    }

    func tell(_ lines: [String]) throws {
      try send(Array(lines.map { DisplayWidth.sanitised($0) + "\n" }.joined().utf8))
    }
  }

  private func entry(_ change: MapDifference.FeatureChange) throws -> [String] {
    let sign = change.change == .removed ? "-" : ReviewPage.sign(change.change)
    var lines = ["\(sign) \(change.label)"]
    switch change.change {
    case .changed:
      lines += DifferenceText.details(
        of: change, isGeographic: difference.isGeographic, verticesMax: 5
      ).map { "    " + $0 }
    case .added, .removed:
      if let row = change.new ?? change.old {
        lines += row.block.feature(row: row.row).attributes.map {
          "    \($0.name): \($0.value.json.prefix(200))"
        }
      }
    }
    // A map tells nothing where the shape is the same.
    if change.change == .changed, change.geometry == nil { return lines }
    let size = PictureSize(Self.columns, Self.rows, .cells)
    let pictures = try maps.pictures(of: change, as: TextPicture.plain, size, paper: .dark)
    let sides = [
      Self.side(pictures.before, change.change == .added ? "not there" : "no geometry"),
      Self.side(pictures.after, change.change == .removed ? "not there" : "no geometry"),
    ]
    lines.append("    " + Self.padded("before") + "  after")
    for row in 0..<max(sides[0].count, sides[1].count) {
      let parts = sides.map { row < $0.count ? $0[row] : "" }
      var line = "    " + Self.padded(parts[0]) + "  " + parts[1]
      while line.hasSuffix(" ") { line.removeLast() }
      lines.append(line)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func side(_ picture: [UInt8]?, _ words: String) -> [String] {
    guard let picture else { return [words] }
    return String(decoding: picture, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).prefix(rows).map(String.init)
  }

  private static func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, columns - DisplayWidth.of(text)))
  }
}
