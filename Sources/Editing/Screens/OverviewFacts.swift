import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering
import PortolanTerminals

/// What a document holds, in place of an overview of a map that is wholly in view.
enum OverviewFacts {
  /// The lines, the most important first.
  static func lines(of document: Document) -> [String] {
    let layers = document.layers.filter { !$0.isGroup }
    let blocks = layers.flatMap { ($0 as? any FeatureHolding)?.blocks ?? [] }
    let vertices = blocks.reduce(0) { $0 + $1.geometry.vertexCount }
    let box = document.extent
    var lines = [
      CountText.features(layers.reduce(0) { $0 + $1.count }), CountText.vertices(vertices),
    ]
    if !box.isEmpty {
      lines.append(longitude(box.minX) + " to " + longitude(box.maxX))
      lines.append(latitude(box.minY) + " to " + latitude(box.maxY))
    }
    lines.append(document.metadata.coordinateSystem.name)
    return lines
  }

  static func draw(
    _ document: Document, _ look: ScreenLook, in area: CellRect, on frame: inout Frame
  ) {
    for (index, line) in lines(of: document).enumerated() where index < area.rows {
      frame.write(
        CutText.end(line, columns: area.columns - 2, signs: look.signs), at: area.column + 1,
        row: area.row + index, style: index == 0 ? look.theme.text : look.theme.faint,
        maxColumns: area.columns - 1)
    }
  }

  private static func longitude(_ x: Double) -> String {
    Figures.fixed(x.magnitude, decimals: 1) + (x < 0 ? "W" : "E")
  }

  private static func latitude(_ y: Double) -> String {
    Figures.fixed(y.magnitude, decimals: 1) + (y < 0 ? "S" : "N")
  }
}

extension Camera {
  /// Whether the window shows all inhabited land, from 56 degrees south to 72 north, and all
  /// longitudes.
  var showsWholeWorld: Bool {
    guard plane.isGeographic, Double(dotWidth) + 2 >= worldDots else { return false }
    let box = visible
    return box.minY <= -56 && box.maxY >= 72
  }
}
