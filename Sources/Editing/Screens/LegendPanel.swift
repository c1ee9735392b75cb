package import PortolanDocuments
import PortolanPrinting
package import PortolanRendering
package import PortolanTerminals
import PortolanTexts

/// The legend of the visible layers' marks.
package enum LegendPanel {
  package static func demand(_ desk: Desk) -> PanelStack.Demand {
    let count = entries(desk).count + (desk.selection.isEmpty ? 0 : 1)
    return PanelStack.Demand(wanted: max(1, count) + 1, least: 2)
  }

  /// - Parameter counts: the points of layers on the map, by the priority of their labels.
  package static func entries(
    _ desk: Desk, _ counts: [Int: SignCount] = [:]
  ) -> [LegendEntry] {
    let visible = desk.camera.visible
    let magnification = desk.camera.magnification
    let document = desk.shownDocument
    let inZoom = document.shownLayers(at: magnification).map(\.id)
    let names = ShortNames(document, signs: desk.look.signs)
    return document.shownLayers.reversed().flatMap { layer in
      let index = inZoom.firstIndex(of: layer.id)
      let isInView = (layer as? any FeatureHolding)?.hasFeatures(in: visible) ?? true
      if let index, isInView {
        var entries = layer.legend(in: visible)
        let points = counts[inZoom.count - index].map { (shown: $0.shown, all: $0.all) }
        let lines = layer.lineCount(in: visible, at: desk.camera.detail)
        entries.tell(points, dimension: 0)
        entries.tell(lines, dimension: 1)
        entries.belong(to: layer, names)
        return entries
      }
      var entries = layer.legend(in: nil)
      entries.belong(to: layer, names)
      return entries.map { entry in
        var entry = entry
        entry.isAbsent = true
        entry.note = entry.beginsLayer ? index == nil ? outOfZoom : outOfView : ""
        return entry
      }
    }
  }

  private struct Line {
    var sample: (text: String, style: CellStyle)?
    var text: String
    /// The text where there is no room for all of it; empty where that is cut.
    var short = ""
    /// Where there is no room for all, the first that fits.
    var notes: [String] = []
    /// The columns that a long text keeps beside a note; `nil` if it is not cut for one.
    var leastText: Int?
    var isAbsent = false
    /// Whether the text is the name of a layer.
    var isName = false

    /// The columns that it needs in all.
    var columns: Int {
      let note = notes.first.map { DisplayWidth.of($0) + 1 } ?? 0
      return DisplayWidth.of(text) + (sample == nil ? 0 : 3) + note + 1
    }

    /// The columns before the text: of the sample.
    var indent: Int { sample == nil ? 0 : 3 }

    /// The columns for the text, of those of the line.
    func textColumns(of width: Int) -> Int {
      width - 1 - indent - neededColumns(of: width - 1 - indent)
    }

    /// The columns of a line that a note needs beside its text.
    private func neededColumns(of width: Int) -> Int {
      guard let leastText else { return 0 }
      let widths = notes.map { DisplayWidth.of($0) + 1 }
      return widths.first { width - $0 >= leastText } ?? 0
    }
  }

  /// The columns that are left of a long name beside a note, and of a class beside its count.
  private static let (leastName, leastClass) = (8, 4)

  private static func leastText(beside entry: LegendEntry) -> Int? {
    if entry.isCounted { return max(leastClass, DisplayWidth.of(entry.short)) }
    return entry.isAbsent || entry.isHeading || !entry.shown.isEmpty ? leastName : nil
  }

  /// The notes of an entry, the one that is needed most first.
  private static func notes(of entry: LegendEntry) -> [String] {
    let notes =
      entry.note == outOfZoom
      ? [outOfZoom, "hidden"]
      : entry.isHeading
        ? [entry.note, entry.shown, entry.names] : [entry.shown, entry.note, entry.names]
    return notes.filter { !$0.isEmpty }
  }

  /// The note of a layer that is not shown at the zoom of the map.
  static let outOfZoom = "hidden at this zoom"
  /// The note of a layer without a feature on the map.
  static let outOfView = "none in view"

  package static func draw(
    _ desk: Desk, in rect: CellRect, _ memory: RenderMemory, on frame: inout Frame
  ) {
    let look = desk.look
    let list = PanelHeading.draw("Legend", look, in: rect, on: &frame)
    let counts = memory.signCounts[MapPane.pictureName(desk)] ?? [:]
    var lines = entries(desk, counts).map { entry in
      Line(
        sample: entry.isHeading ? nil : look.sample(entry), text: entry.text, short: entry.short,
        notes: notes(of: entry), leastText: leastText(beside: entry), isAbsent: entry.isAbsent,
        isName: entry.beginsLayer)
    }
    if !desk.selection.isEmpty {
      let sample = look.signs.isUnicode ? "▓▓" : "##"
      lines.append(Line(sample: (text: sample, style: look.theme.frame), text: "selected"))
    }
    if lines.isEmpty {
      frame.write(
        "nothing visible", at: list.column + 1, row: list.row, style: look.theme.faint,
        maxColumns: list.rows > 0 ? list.columns - 1 : 0)
    }
    let places = LegendColumns.places(
      lines.map { $0.sample == nil }, widths: lines.map(\.columns), in: list)
    let shown = zip(lines, places).filter { !$1.isEmpty }
    PanelHeading.tell(hidden: lines.count - shown.count, look, in: rect, on: &frame)
    let names = ListTexts(
      shown.lazy.filter(\.0.isName).map { ($0.text, $0.short, $0.textColumns(of: $1.columns)) })
    for (line, place) in shown {
      let (column, row, width) = (place.column, place.row, place.columns)
      if let sample = line.sample, !line.isAbsent {
        frame.write(sample.text, at: column, row: row, style: sample.style, maxColumns: 2)
      }
      // The name of a layer stands out above its classes.
      let indent = line.indent
      let room = line.textColumns(of: width)
      let text =
        line.isName
        ? names.text(line.text, short: line.short, columns: room, signs: look.signs)
        : CutText.end(line.text, short: line.short, columns: room, signs: look.signs)
      frame.write(
        text, at: column + indent, row: row,
        style: line.isAbsent
          ? look.theme.faint : line.sample == nil ? look.theme.strong : .plain,
        maxColumns: width - 1 - indent)
      // The number and the order of the points, where there is room for them.
      let rest = width - 2 - indent - DisplayWidth.of(text)
      let all = line.isAbsent ? [] : [line.notes.joined(separator: " ")]
      let notes = all + line.notes
      if let note = notes.first(where: { DisplayWidth.of($0) <= rest }), !note.isEmpty {
        frame.write(
          note, at: column + width - 1 - DisplayWidth.of(note), row: row,
          style: look.theme.faint, maxColumns: rest)
      }
    }
  }
}
