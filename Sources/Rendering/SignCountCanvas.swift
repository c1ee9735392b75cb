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
    var shown = 0
    count.all += SymbolChoice.each(of: set, through: camera, window, memory) { x, y, rank in
      guard let part = parts[rank.part],
        !part.style(ofRow: rank.row, in: set).symbol.isEmpty,
        camera.showsOnce(x, y, in: window)
      else { return }
      shown += 1
    }
    count.shown += shown
  }
}
