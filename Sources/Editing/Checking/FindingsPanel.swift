import PortolanChecking
import PortolanDocuments
import PortolanPrinting
package import PortolanTerminals

/// The findings of `check`, of which one is chosen.
package struct FindingsPanel: Sendable {
  /// The counts in one sentence.
  let summary: String
  private(set) var cursor = ListCursor(columns: 100, otherRows: 5)

  init(summary: String) { self.summary = summary }

  var index: Int { cursor.index }

  mutating func move(by lines: Int, among count: Int) { cursor.move(by: lines, among: count) }

  mutating func press(_ event: MouseEvent, in area: CellRect, among count: Int) -> Bool {
    cursor.press(event, in: area, among: count)
  }
}

extension FindingsPanel: Overlay {
  package static let mode: Mode? = Mode("findings", .choosing)
  package static let keys = """
    [findings]
    j = finding-step down {count}     ;; down
    k = finding-step up {count}       ;; up
    <down> = finding-step down
    <up> = finding-step up
    <pagedown> = finding-step down page
    <pageup> = finding-step up page
    <home> = finding-step first
    <end> = finding-step last
    g = finding-step first
    G = finding-step last
    <ret> = finding-step go           ;; go there
    ] = +next
    ]e = finding-step go
    [ = +previous
    [e = finding-step go
    <c-c> = escape
    <c-l> = redraw
    ? = help                          ;; keys
    <f1> = help
    q = escape
    <esc> = escape                    ;; close
    """

  package func press(_ event: MouseEvent, in desk: inout Desk) {
    let count = desk.work.findings?.list.findings.count ?? 0
    let area = desk.layout.map
    if desk.findings?.press(event, in: area, among: count) == true {
      desk.attempt(line: "finding-step go")
    }
  }

  package func escape(in desk: inout Desk) { desk.findings = nil }

  package func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    let found = desk.work.findings?.list.findings ?? []
    let look = desk.look
    let area = layout.map
    let inside = OverlayBox.draw(
      "Check: \(summary)", look, in: cursor.rect(in: area, among: found.count),
      on: &frame)
    guard inside.rows > 3, inside.columns > 20 else { return }
    let first = cursor.first(in: area, among: found.count)
    for (line, finding) in found.dropFirst(first).prefix(inside.rows - 3).enumerated() {
      let isCurrent = first + line == index
      let style = isCurrent ? look.theme.chosen : look.theme.popup
      let rect = CellRect(
        column: inside.column, row: inside.row + line, columns: inside.columns, rows: 1)
      frame.fill(rect, style: style)
      let text =
        (isCurrent ? look.signs.pointer : " ")
        + "\(finding.code.rawValue) \(place(of: finding, desk)): \(finding.message)"
      frame.write(
        CutText.end(text, columns: inside.columns - 1, signs: look.signs), at: rect.column,
        row: rect.row, style: style)
    }
    let bottom = inside.row + inside.rows - 1
    if found.indices.contains(index) {
      for (row, text) in [found[index].message, found[index].code.hint].enumerated() {
        frame.write(
          CutText.end(text, columns: inside.columns - 2, signs: look.signs),
          at: inside.column + 1, row: bottom - 2 + row, style: look.theme.popup,
          maxColumns: inside.columns - 1)
      }
    }
    frame.write(
      "\(index + 1) of \(found.count); ]e and [e walk them on the map", at: inside.column + 1,
      row: bottom, style: look.theme.popupFaint, maxColumns: inside.columns - 1)
  }

  /// The layer and the feature; of the only layer the feature alone.
  private func place(of finding: Finding, _ desk: Desk) -> String {
    let layers = desk.document.layers.filter { $0 is any FeatureHolding }
    if layers.count == 1, let feature = finding.feature {
      return "feature \(feature.feature.rawValue)"
    }
    return finding.path
  }
}
