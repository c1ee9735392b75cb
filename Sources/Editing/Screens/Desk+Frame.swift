import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
package import PortolanRendering
package import PortolanTerminals
import PortolanTexts

/// The editor's picture: a function of the desk and the size; it cannot fail.
extension Desk {
  /// Draws everything.
  ///
  /// - Parameters:
  ///   - size: The terminal in cells.
  ///   - memory: The caches of drawing between frames; an empty one gives the same map.
  ///   - desk: returns the desk at another pane of the session.
  package func frame(
    size: CellSize, memory: inout RenderMemory, at desk: (PaneID) -> Desk? = { _ in nil }
  ) -> Frame {
    memory.beginRound()
    defer { memory.endRound() }
    var frame = Frame(size: size)
    let layout = ScreenLayout(size: size, sideBars: panels.isEmpty ? .hidden : .shown)
    if layout.kind == .tooSmall {
      drawTooSmall(size, on: &frame)
      return frame
    }
    drawPanes(in: layout.map, at: desk, memory: &memory, on: &frame)
    drawBars(layout, memory: &memory, on: &frame)
    TitleLine.draw(self, in: layout.title, on: &frame)
    var status = layout.status
    if layout.kind != .bare {
      // A long message takes lines from the map, never the status line.
      status.row -= HintLine.rowCount(self, columns: layout.hint.columns) - 1
    }
    StatusLine.draw(self, in: status, on: &frame)
    for overlay in overlays.reversed() { overlay.draw(self, in: layout, on: &frame) }
    if layout.kind != .bare || HintLine.isUrgent(self) {
      HintLine.draw(self, in: layout.hint, on: &frame)
    }
    return frame
  }

  /// Says which size is needed, the message if there is one, and the keys that act meanwhile.
  private func drawTooSmall(_ size: CellSize, on frame: inout Frame) {
    let texts = ["too small: needs 40x12", "needs 40x12", "40x12"]
    let text = texts.first { $0.count <= size.columns } ?? ""
    frame.write(text, at: 0, row: 0, maxColumns: size.columns)
    if text.isEmpty { return }
    let keys = "no keys act but " + unseenKeys.joined(separator: ", ")
    let lines = ([message?.text, keys].compactMap { $0 }).flatMap {
      MessagesPanel.wrapped($0, columns: size.columns)
    }
    for (row, line) in lines.prefix(max(0, size.rows - 1)).enumerated() {
      frame.write(line, at: 0, row: row + 1, maxColumns: size.columns)
    }
  }

  private func drawPanes(
    in rect: CellRect, at desk: (PaneID) -> Desk?, memory: inout RenderMemory,
    on frame: inout Frame
  ) {
    let arrangement = session.arrangement
    guard arrangement.tab.tree.panes.count > 1 else {
      pane.state.draw(self, in: rect, memory: &memory, on: &frame)
      return
    }
    let places = arrangement.places(in: rect)
    for (id, rect) in places.panes {
      guard let desk = id == pane.id ? self : desk(id) else { continue }
      let area = PanelHeading.draw(
        desk.paneTitle(columns: rect.columns - 2), look, isFocused: desk.isFocused, in: rect,
        on: &frame)
      desk.pane.state.draw(desk, in: area, memory: &memory, on: &frame)
    }
    for rule in places.rules {
      for row in rule.row..<rule.row + rule.rows {
        frame.write(look.signs.vertical, at: rule.column, row: row, style: look.theme.rule)
      }
    }
  }

  /// The heading of a pane beside others: whole words, and the middle of a long name left out.
  func paneTitle(columns: Int) -> String {
    let index = session.arrangement.tab.tree.panes.firstIndex(of: pane.id).map { $0 + 1 }
    let start = " \(index ?? 0): "
    let what = pane.state.title(self)
    let name = others.isEmpty ? nil : title
    let linked = pane.links.words.map { "linked \($0)" }
    let tab = session.arrangement.tab
    let hidden =
      tab.whole == pane.id
      ? CountText.text(tab.tree.panes.count - 1, "pane", "panes") + " hidden" : nil
    // What is left out first comes last.
    let choices = [[name, what, linked, hidden], [name, linked, hidden], [name ?? what, hidden]]
    let texts = choices.map { start + $0.compactMap { $0 }.joined(separator: "  ") + " " }
    if let fitting = texts.first(where: { DisplayWidth.of($0) <= columns }) { return fitting }
    let room = max(0, columns - DisplayWidth.of(start) - 1)
    return start + CutText.middle(name ?? what, columns: room, signs: look.signs) + " "
  }

  private func drawBars(
    _ layout: ScreenLayout, memory: inout RenderMemory, on frame: inout Frame
  ) {
    let look = self.look
    for column in layout.rules {
      for row in layout.map.row..<layout.map.row + layout.map.rows {
        frame.write(look.signs.vertical, at: column, row: row, style: look.theme.rule)
      }
    }
    for (panel, area) in BarPanel.areas(self, in: layout) {
      panel.draw(self, in: area, memory: &memory, on: &frame)
    }
  }

}

/// The parts of the side bars.
enum BarPanel {
  case layers, legend, overview, info, measure, history, messages

  /// The areas of the panels that have room.
  static func areas(
    _ desk: Desk, in layout: ScreenLayout
  ) -> [(panel: BarPanel, area: CellRect)] {
    let main: [BarPanel] =
      [.layers, .legend, .overview] + (layout.kind == .wide ? [.history] : [.info])
    return stack(main, desk, in: layout.mainBar)
      + stack([.info, .measure, .messages], desk, in: layout.sideBar)
  }

  /// The area of a panel; empty if it is not shown.
  static func area(of panel: BarPanel, _ desk: Desk) -> CellRect {
    areas(desk, in: desk.layout).first { $0.panel == panel }?.area
      ?? CellRect(column: 0, row: 0, columns: 0, rows: 0)
  }

  /// The shown panels, one below the other.
  private static func stack(
    _ panels: [BarPanel], _ desk: Desk, in rect: CellRect
  ) -> [(panel: BarPanel, area: CellRect)] {
    guard !rect.isEmpty else { return [] }
    let shown = panels.filter { $0.isShown(desk) }
    let heights = PanelStack.heights(
      shown.map { $0.demand(desk, columns: rect.columns) }, rows: rect.rows)
    var row = rect.row
    var areas: [(panel: BarPanel, area: CellRect)] = []
    for (panel, height) in zip(shown, heights) where height > 0 {
      areas.append(
        (panel, CellRect(column: rect.column, row: row, columns: rect.columns, rows: height)))
      row += height
    }
    return areas
  }

  private func isShown(_ desk: Desk) -> Bool {
    switch self {
    case .layers: desk.panels.contains(.layers)
    case .legend: desk.panels.contains(.legend)
    case .overview: desk.panels.contains(.overview)
    case .info: desk.panels.contains(.info)
    case .measure: desk.measuring != nil
    case .history, .messages: true
    }
  }

  private func demand(_ desk: Desk, columns: Int) -> PanelStack.Demand {
    switch self {
    case .layers: LayersPanel.demand(desk)
    case .legend: LegendPanel.demand(desk)
    case .overview: OverviewPanel.demand(desk, columns: columns)
    case .info: SelectionPanel.demand(desk)
    case .measure: MeasurePanel.demand(desk)
    case .history: HistoryPanel.demand(desk)
    case .messages: MessagesPanel.demand(desk)
    }
  }

  fileprivate func draw(
    _ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame
  ) {
    switch self {
    case .layers: LayersPanel.draw(desk, in: rect, on: &frame)
    case .legend: LegendPanel.draw(desk, in: rect, memory, on: &frame)
    case .overview: OverviewPanel.draw(desk, in: rect, memory: &memory, on: &frame)
    case .info: SelectionPanel.draw(desk, in: rect, on: &frame)
    case .measure: MeasurePanel.draw(desk, in: rect, on: &frame)
    case .history: HistoryPanel.draw(desk, in: rect, on: &frame)
    case .messages: MessagesPanel.draw(desk, in: rect, on: &frame)
    }
  }
}
