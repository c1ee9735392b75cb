import PortolanGraphics
import PortolanTerminals
import PortolanTexts

/// The names of a page: notes where they are, others where the window of cells has places for them,
/// those of lines along their lines.
extension PageCanvas {
  /// The names, as the cells place them.
  func names(in window: PageWindow) -> [PageLabel] {
    // A text beside its point may lie up to half a row above or below its own.
    let sets = entries.compactMap { entry -> (layer: Int, set: LabelSet)? in
      if case .labels(let set) = entry.mark { (entry.layer, set) } else { nil }
    }
    let notes = entries.flatMap { layer, mark -> [PageLabel] in
      guard case .texts(let set) = mark else { return [] }
      return TextLayout.texts(of: set, through: camera).flatMap { window.labels($0, set, layer) }
    }
    return notes
      + cells.labels(clearance: 1).filter { sets.indices.contains($0.set) }.map { label in
        let (layer, set) = sets[label.set]
        var name = window.label(label, layer, set.block)
        name.isPlaced = true
        if label.dot == nil, set.block.dimension(ofFeature: label.feature) == 1 {
          name.line = set.lineNames
        }
        return name
      }
  }

  /// Paints the names, with the areas beneath them, beside the signs that were painted.
  func paint(
    _ names: [PageLabel], in window: PageWindow, _ area: PageRect, _ known: PaintedMarks,
    on painter: inout some PagePainter
  ) {
    painter.begin(.labels)
    var names = names
    for index in names.indices {
      (names[index].ground, names[index].hasOneGround) = known.ground(ofName: index)
      guard names[index].isPlaced else { continue }
      if let sign = known.sign(names[index].block, names[index].row) {
        names[index].stand(beside: sign)
      }
      names[index].stay(within: area)
    }
    turnAlongLines(&names, in: window, area, known)
    for name in names { painter.paint(name) }
    painter.end(.labels)
  }

  /// Turns names of lines along their lines, where these have places that no other name takes.
  private func turnAlongLines(
    _ names: inout [PageLabel], in window: PageWindow, _ area: PageRect, _ known: PaintedMarks
  ) {
    let lines = names.indices.filter { names[$0].isOfLine }
    if lines.isEmpty { return }
    let others = names.indices.filter { !names[$0].isOfLine }.map { names[$0].rect }
    let kept = reserved.map { cells in
      PageRect(
        x: window.origin.x + Double(cells.column) * Self.cellWidth,
        y: window.origin.y + Double(cells.row) * Self.cellHeight,
        width: Double(cells.columns) * Self.cellWidth, height: Double(cells.rows) * Self.cellHeight)
    }
    let taken = others + known.signRects + kept
    // The names that have not been turned yet keep their places.
    for (number, index) in lines.enumerated() {
      let waiting = lines[(number + 1)...].map { names[$0].rect }
      var places = LineNamePlaces(taken: taken + waiting, in: area)
      for former in lines[..<number] {
        if let line = names[former].baseline {
          places.take(line)
        } else {
          places.take(names[former].rect)
        }
      }
      let length = Double(DisplayWidth.of(names[index].text)) * Self.lineLetterWidth + 4
      let line = places.best(
        along: paths(of: names[index], in: window), length: length, near: names[index].place)
      guard let line else { continue }
      names[index].baseline = line
      (names[index].place, names[index].home) = (line.point(at: 0.5), line.point(at: 0.5))
    }
  }

  /// About the width of a letter along a line.
  private static let lineLetterWidth = 5.4

  /// The lines of a name: those of its block that share it.
  private func paths(of name: PageLabel, in window: PageWindow) -> [PagePath] {
    var rows: Set<Int> = [name.row]
    if let lines = name.line, let number = lines[name.row] {
      rows.formUnion((0..<name.block.featureCount).filter { lines[$0] == number })
    }
    let outline = memory.cache(of: name.block, on: camera.plane).outline
    var found: [PagePath] = []
    PageShapes(
      base: memory.projected(name.block, on: camera.plane),
      paths: memory.paths(of: name.block, on: camera.plane, level: level(outline)),
      rows: .only(rows), window: window
    ).each { _, paths, _ in found += paths }
    return found.joined
  }
}

extension PageLabel {
  /// Moves it, with its sign and its line.
  package mutating func move(x: Double, y: Double) {
    func moved(_ point: PagePoint) -> PagePoint { PagePoint(x: point.x + x, y: point.y + y) }
    (place, home, sign) = (moved(place), moved(home), sign.map(moved))
    if var line = baseline {
      (line.start, line.end) = (moved(line.start), moved(line.end))
      baseline = line
    }
  }

  /// Moves it to a sign that has been painted, as far off as its size demands.
  mutating func stand(beside sign: PageSign) {
    (home, self.sign) = (sign.place, nil)
    guard let radius = sign.radius, radius > Self.usualRadius else { return }
    switch anchor {
    case .start: place.x += radius - Self.usualRadius
    case .end: place.x -= radius - Self.usualRadius
    case .middle: place.y += (place.y < home.y ? -1 : 1) * max(0, radius - 2 * Self.usualRadius)
    }
  }

  /// Moves it away from the edges of the map, which would cut it.
  mutating func stay(within area: PageRect) {
    let half = PageCanvas.cellHeight / 2
    place.y = max(area.y + half, min(place.y, area.maxY - half))
    place.x = max(area.x + before, min(place.x, area.maxX - width + before))
  }

  /// About its width.
  private var width: Double {
    Double(DisplayWidth.of(text)) * PageCanvas.cellWidth + letterSpacing * Double(text.count) + 2
  }

  /// The part of the width before its place.
  private var before: Double {
    switch anchor {
    case .start: 0.0
    case .middle: width / 2
    case .end: width
    }
  }

  /// About the rectangle of its letters.
  var rect: PageRect {
    PageRect(x: place.x - before, y: place.y - 4.5, width: width, height: 9)
  }

  /// Places of its letters from its start to its end, an odd number.
  var grounds: [PagePoint] {
    (0..<Self.groundCount).map { number in
      let part = (Double(number) + 0.5) / Double(Self.groundCount)
      return PagePoint(x: place.x - before + part * width, y: place.y)
    }
  }

  static let groundCount = 5

  private static let usualRadius = 2.6
}
