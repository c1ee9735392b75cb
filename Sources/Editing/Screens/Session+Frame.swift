import Documents
import Graphics
package import Rendering
package import Terminals

/// The editor's picture: a function of the session and the size; it cannot fail.
extension Session {
  /// Draws everything.
  ///
  /// - Parameters:
  ///   - size: The terminal in cells.
  ///   - memory: What drawing keeps between frames; an empty one gives the same map.
  package func frame(size: CellSize, memory: inout RenderMemory) -> Frame {
    var frame = Frame(size: size)
    let layout = ScreenLayout(size: size, sideBars: panels.isEmpty ? .hidden : .shown)
    if layout.kind == .tooSmall {
      let texts = ["too small: needs 40x12", "needs 40x12", "40x12"]
      let text = texts.first { $0.count <= size.columns } ?? ""
      frame.write(text, at: 0, row: 0, maxColumns: size.columns)
      return frame
    }
    MapPane.draw(self, in: layout.map, memory: &memory, on: &frame)
    drawBars(layout, memory: &memory, on: &frame)
    TitleLine.draw(self, in: layout.title, on: &frame)
    var status = layout.status
    if layout.kind != .bare {
      // A long message takes lines from the map, never the status line.
      status.row -= HintLine.rowCount(self, columns: layout.hint.columns) - 1
    }
    StatusLine.draw(self, in: status, on: &frame)
    drawOverlays(layout, on: &frame)
    if layout.kind != .bare || HintLine.isUrgent(self) {
      HintLine.draw(self, in: layout.hint, on: &frame)
    }
    return frame
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
    let isWide = layout.kind == .wide
    let main: [BarPanel] =
      [.layers, .legend, .overview] + (isWide ? [.history] : [.info])
    BarPanel.draw(main.filter(isShown), self, in: layout.mainBar, memory: &memory, on: &frame)
    let side: [BarPanel] = [.info, .messages]
    BarPanel.draw(side.filter(isShown), self, in: layout.sideBar, memory: &memory, on: &frame)
  }

  private func isShown(_ panel: BarPanel) -> Bool {
    switch panel {
    case .layers: panels.contains(.layers)
    case .legend: panels.contains(.legend)
    case .overview: panels.contains(.overview)
    case .info: panels.contains(.info)
    case .history, .messages: true
    }
  }

  private func drawOverlays(_ layout: ScreenLayout, on frame: inout Frame) {
    let look = self.look
    if let form { FormOverlay.draw(form, look, in: layout.map, on: &frame) }
    if let help {
      let rows = layout.map.rows
      let columns = layout.kind == .wide ? min(100, layout.map.columns) : frame.size.columns
      let area = CellRect(
        column: layout.kind == .wide ? layout.map.column : 0, row: layout.map.row,
        columns: columns, rows: rows)
      HelpOverlay.draw(help, look, in: area, on: &frame)
    }
    if let question { QuestionOverlay.draw(question, look, in: layout.map, on: &frame) }
    if prompt == nil { KeyPopup.draw(self, in: layout.map, on: &frame) }
    if let prompt {
      PromptLine.drawCompletions(prompt, look, above: layout.hint, on: &frame)
    }
  }
}

/// The parts of the side bars.
enum BarPanel {
  case layers, legend, overview, info, history, messages

  /// Draws panels one below the other.
  static func draw(
    _ panels: [BarPanel], _ session: Session, in rect: CellRect, memory: inout RenderMemory,
    on frame: inout Frame
  ) {
    guard !rect.isEmpty else { return }
    let heights = PanelStack.heights(
      panels.map { $0.demand(session, columns: rect.columns) }, rows: rect.rows)
    var row = rect.row
    for (panel, height) in zip(panels, heights) where height > 0 {
      let area = CellRect(column: rect.column, row: row, columns: rect.columns, rows: height)
      panel.draw(session, in: area, memory: &memory, on: &frame)
      row += height
    }
  }

  private func demand(_ session: Session, columns: Int) -> PanelStack.Demand {
    switch self {
    case .layers: LayersPanel.demand(session)
    case .legend: LegendPanel.demand(session)
    case .overview: OverviewPanel.demand(session, columns: columns)
    case .info: SelectionPanel.demand(session)
    case .history: HistoryPanel.demand(session)
    case .messages: MessagesPanel.demand(session)
    }
  }

  private func draw(
    _ session: Session, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame
  ) {
    switch self {
    case .layers: LayersPanel.draw(session, in: rect, on: &frame)
    case .legend: LegendPanel.draw(session, in: rect, on: &frame)
    case .overview: OverviewPanel.draw(session, in: rect, memory: &memory, on: &frame)
    case .info: SelectionPanel.draw(session, in: rect, on: &frame)
    case .history: HistoryPanel.draw(session, in: rect, on: &frame)
    case .messages: MessagesPanel.draw(session, in: rect, on: &frame)
    }
  }
}
