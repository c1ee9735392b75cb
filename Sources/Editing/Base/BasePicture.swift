import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering
import PortolanTerminals

/// The picture of a base map, which is laid behind that of the data.
enum BasePicture {
  /// The input of drawing.
  private struct Key: Hashable {
    var map: ObjectIdentifier
    var camera: Camera
    var capabilities: ScreenCapabilities
    var hasShapes: Bool
  }

  /// Draws a base map in the theme's quiet colours, or takes the same picture from the memory.
  ///
  /// - Parameters:
  ///   - name: the picture's in the memory.
  ///   - hasShapes: whether lines and edges are drawn; else the grounds of areas alone.
  static func draw(
    _ map: BaseMap, through camera: Camera, _ look: ScreenLook, name: String,
    _ memory: RenderMemory, hasShapes: Bool = true
  ) -> Frame {
    let key = Key(
      map: ObjectIdentifier(map), camera: camera, capabilities: look.capabilities,
      hasShapes: hasShapes)
    return memory.picture(name, key: key, owners: [map]) {
      // On dark ground a canvas takes colours as they are.
      var canvas = CellCanvas(
        camera: camera, memory: memory, glyphs: look.signs.isUnicode ? .braille : .ascii,
        blocks: look.capabilities.edgeBlocks, depth: look.capabilities.depth, ground: .dark)
      canvas.hasShapes = hasShapes
      draw(map, look.capabilities, on: &canvas)
      var frame = Frame(size: camera.size)
      canvas.compose(into: &frame, at: frame.bounds)
      if look.capabilities.depth <= .sixteen {
        frame.restyle(frame.bounds) { $0 = CellStyle(attributes: .dim) }
      }
      return frame
    }
  }

  /// Draws the marks of a base map in the theme's quiet colours.
  static func draw(
    _ map: BaseMap, _ capabilities: ScreenCapabilities, on canvas: inout some Canvas
  ) {
    let ink = BaseInk(capabilities)
    // The coast is drawn above the borders that run along it.
    let land = map.land
    for index in map.layers.indices where index != land {
      for block in map.layers[index].blocks { canvas.draw(block.geometry, style: ink.line) }
    }
    for block in land.map({ map.layers[$0].blocks }) ?? [] {
      canvas.draw(block.geometry, style: ink.land)
    }
  }
}

/// The quiet colours of a base map.
private struct BaseInk {
  /// Land with its coast.
  let land: MarkStyle
  /// Borders and other lines.
  let line: MarkStyle

  init(_ capabilities: ScreenCapabilities) {
    func colour(_ dark: String, _ light: String) -> Colour? {
      Colour(hex: capabilities.ground == .light ? light : dark)
    }
    // A few colours have no quiet shades: dashes or dots tell the base map from data.
    let isRich = capabilities.depth > .sixteen
    let dash =
      isRich ? MarkStyle.Dash.solid : capabilities.depth == .mono ? .dotted : .dashed
    if capabilities.palette == .contrast {
      // Where contrast counts, data stand upon the ground itself.
      land = MarkStyle(stroke: colour("#9aa6b2", "#56626e"), dash: dash)
      line = MarkStyle(stroke: colour("#6c7884", "#84909c"), dash: dash)
    } else {
      land = MarkStyle(
        stroke: colour("#5f6f7f", "#8a9aa8"), fill: isRich ? colour("#1c2126", "#eef0f0") : nil,
        dash: dash)
      line = MarkStyle(stroke: colour("#3c4650", "#bcc6ce"), dash: dash)
    }
  }
}
