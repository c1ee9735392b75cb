import Graphics
import Terminals

/// Where the labels of the last frame stood.
struct LabelMemory {}

/// A text with its place in the window.
struct PlacedLabel: Hashable {
  var text: String
  var column: Int
  var row: Int
  var columns: Int
  var style: MarkStyle

  func write(into frame: inout Frame, at rect: CellRect, window: CellSize, depth: ColourDepth) {
    guard column + columns <= rect.columns, row < rect.rows else { return }
    var style = CellPicture.cellStyle(style, depth)
    style.background = frame[rect.column + column, rect.row + row].style.background
    frame.write(text, at: rect.column + column, row: rect.row + row, style: style)
  }
}

struct LabelPlacer {
  let camera: Camera
  let picture: CellPicture
  let memory: RenderMemory

  mutating func place(_ sets: [LabelSet]) -> [PlacedLabel] { [] }
}
