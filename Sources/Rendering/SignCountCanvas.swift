package import PortolanGraphics
import PortolanTerminals

/// A canvas that draws nothing and counts the signs of a layer's points.
///
///     var canvas = SignCountCanvas(camera: camera, memory: memory)
///     layer.draw(on: &canvas, labelPriority: 0)
///     canvas.count  // as many as a map through the camera shows, and all in view
package struct SignCountCanvas: Canvas {
  private let camera: Camera
  private let memory: RenderMemory
  private let window: ViewWindow
  package private(set) var count = SignCount()

  package init(camera: Camera, memory: RenderMemory) {
    self.camera = camera
    self.memory = memory
    window = ViewWindow(camera)
  }

  package var visible: Box { camera.visible }

  package mutating func draw(_ block: GeometryBlock, style: MarkStyle) {}

  package mutating func draw(_ mark: Mark) {
    guard case .symbols(let set) = mark, camera.size.columns > 0, camera.size.rows > 0 else {
      return
    }
    let parts = set.partsByNumber
    count += SymbolChoice.count(of: set, through: camera, window, memory) { _, _, rank in
      parts[rank.part].map { !$0.style(ofRow: rank.row, in: set).symbol.isEmpty } ?? false
    }
  }
}
