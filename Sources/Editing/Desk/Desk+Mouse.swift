import PortolanDocuments
import PortolanTerminals

/// The mouse, turned into lines of the command language by the key map.
extension Desk {
  /// A button held down.
  struct Press: Sendable {
    var column: Int
    var row: Int
    /// The pointer's last position.
    var lastColumn: Int
    var lastRow: Int
    var isBox: Bool
    var hasMoved = false
    /// The rectangle of a view that is held in an overview.
    var grip: OverviewGrip?
    /// The border between panes that is held.
    var border: PaneTree.Border?
  }

  mutating func point(_ event: MouseEvent) {
    if pointAbove(event) { return }
    let area = paneArea
    let column = event.column - area.column
    let row = event.row - area.row
    let isInside = area.contains(column: event.column, row: event.row)
    // A press on a message takes it away; the hints below it are not seen.
    let isMessage =
      event.action == .press && HintLine.isUrgent(self)
      && layout.hint.contains(column: event.column, row: event.row)
    if event.action != .drag && event.action != .release { message = nil }
    forgetPrefix()
    if isMessage { return }
    if isInside, pane.state.map == nil, event.action != .drag, event.action != .release {
      press = nil
      pane.state.press(event, column: column, row: row, in: &self)
      return
    }
    switch event.action {
    case .press:
      press = nil
      guard isInside else { return pressOutside(event) }
      if event.button == 1 {
        let isBox = event.modifiers.contains(.shift)
        press = Press(column: column, row: row, lastColumn: column, lastRow: row, isBox: isBox)
        if isBox { gesture(.shiftDrag, column: column, row: row) }
      } else if event.button == 3 {
        gesture(.rightClick, column: column, row: row)
      }
    case .drag:
      if let grip = press?.grip {
        drag(grip, toColumn: event.column, row: event.row)
      } else if let border = press?.border {
        drag(border, toColumn: event.column, row: event.row)
      } else {
        drag(toColumn: column, row: row)
      }
    case .release: release(column: column, row: row)
    case .doubleClick where isInside && click == .click:
      press = nil
      gesture(.doubleClick, column: column, row: row)
    case .wheelUp where isInside: gesture(.wheelUp, column: column, row: row)
    case .wheelDown where isInside: gesture(.wheelDown, column: column, row: row)
    case .doubleClick, .wheelUp, .wheelDown: break
    }
  }

  private mutating func drag(toColumn column: Int, row: Int) {
    guard var press, column != press.lastColumn || row != press.lastRow else { return }
    if press.isBox {
      putCursor(column: column, row: row)
    } else {
      gesture(
        .drag, column: column, row: row, columns: column - press.lastColumn,
        rows: row - press.lastRow)
    }
    press.lastColumn = column
    press.lastRow = row
    press.hasMoved = true
    self.press = press
  }

  private mutating func release(column: Int, row: Int) {
    guard let press else { return }
    self.press = nil
    if press.grip != nil || press.border != nil { return }
    if press.isBox {
      gesture(.drop, column: column, row: row)
    } else if !press.hasMoved {
      gesture(click, column: press.column, row: press.row)
    }
  }

  /// What a click is in this mode.
  private var click: KeyMap.Gesture {
    switch mode {
    case .insert: .drawClick
    case .measure: .measureClick
    default: .click
    }
  }

  /// Handles a click beside the map: on a hint it presses the key, on the title it does what the
  /// words there name, on a line of the layers panel it chooses the layer, in the overview it takes
  /// hold of the view, on a border between panes of the border.
  private mutating func pressOutside(_ event: MouseEvent) {
    guard event.button == 1 else { return }
    if pressBar(event) || pressBorder(event) { return }
    if panels.contains(.overview), pressOverview(event) { return }
    guard panels.contains(.layers) else { return }
    let bar = BarPanel.area(of: .layers, self)
    guard bar.contains(column: event.column, row: event.row) else { return }
    // The panel's first line is its heading.
    let row = event.row - bar.row - 1
    let layers = document.layers
    let line = row + LayersPanel.top(self, rows: bar.rows - 1)
    guard row >= 0, line < layers.count else { return }
    // The sign in the first cells shows and hides.
    let indent = LayersPanel.indent(of: layers[layers.count - 1 - line], in: document)
    let verb = event.column - bar.column <= 2 + indent ? "toggle" : "layer"
    attempt(line: "\(verb) \(line + 1)")
  }

  /// Handles a click on the title or a hint; returns whether it was one.
  mutating func pressBar(_ event: MouseEvent) -> Bool {
    if let key = HintLine.key(self, column: event.column, row: event.row) {
      forgetPrefix()
      press(key)
      return true
    }
    switch TitleLine.link(self, column: event.column, row: event.row) {
    case .menu(let prefix): openMenu(of: prefix)
    case .line(let line): attempt(line: line)
    case nil: return false
    }
    return true
  }

  private mutating func gesture(
    _ gesture: KeyMap.Gesture, column: Int, row: Int, columns: Int = 0, rows: Int = 0
  ) {
    guard var line = keyMap.gestures[gesture] else { return }
    let values = [
      ("{column}", column), ("{row}", row), ("{columns}", columns), ("{rows}", rows),
    ]
    for (name, value) in values {
      while let range = line.firstRange(of: name) {
        line = line.replacingCharacters(in: range, with: String(value))
      }
    }
    attempt(line: line)
  }
}
