import PortolanGraphics

/// A grid of places over a box, counted from its south-west corner (TopoJSON, section 2.1.2).
struct QuantizedGrid {
  struct Cell: Hashable {
    var x: Int
    var y: Int
  }

  private let box: Box
  private let step: (x: Double, y: Double)

  /// - Parameter size: the number of places each way, 2 to 2^40.
  init(_ box: Box, size: Int) {
    self.box = box.isEmpty ? Box(minX: 0, minY: 0, maxX: 0, maxY: 0) : box
    let count = Double(min(max(size, 2), 1 << 40) - 1)
    func step(_ extent: Double) -> Double {
      extent > 0 && (extent / count).isFinite && extent / count > 0 ? extent / count : 1
    }
    self.step = (step(box.width), step(box.height))
  }

  func cell(of place: Coordinate) -> Cell {
    Cell(
      x: Int(exactly: ((place.x - box.minX) / step.x).rounded()) ?? 0,
      y: Int(exactly: ((place.y - box.minY) / step.y).rounded()) ?? 0)
  }

  /// The cells of an arc, equal ones in a row once; as many as a line, or a ring, needs stay.
  func cells(of arc: [Coordinate]) -> [Cell] {
    var cells: [Cell] = []
    for place in arc {
      let cell = cell(of: place)
      if cells.last != cell { cells.append(cell) }
    }
    let least = min(arc.count, arc.first == arc.last ? 4 : 2)
    while let last = cells.last, cells.count < least { cells.append(last) }
    return cells
  }

  /// The `transform` member.
  var json: String {
    func text(_ x: Double, _ y: Double) -> String {
      let parts = [x, y].map {
        String(decoding: NumberPrinter.shortest($0, isPointed: false), as: UTF8.self)
      }
      return "[" + parts.joined(separator: ",") + "]"
    }
    return #""transform":{"scale":\#(text(step.x, step.y)),"translate":"#
      + text(box.minX, box.minY) + "}"
  }

  /// What is lost, in words.
  var remark: String {
    func text(_ step: Double) -> String {
      String(decoding: NumberPrinter.shortest(step / 2, isPointed: false), as: UTF8.self)
    }
    return "coordinates are rounded to a grid, by \(text(step.x)) across and \(text(step.y)) up at "
      + "most"
  }
}
