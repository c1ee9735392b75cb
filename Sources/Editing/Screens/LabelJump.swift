import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering
import PortolanTerminals

/// Letters on the visible features: typing those of one goes to it.
struct LabelJump: Overlay {
  static let mode: Mode? = Mode("jump", .choosing)
  static let keys = """
    [jump]
    <backspace> = jump --drop      ;; drops a letter; a capital at the end selects
    <esc> = escape                 ;; leave
    <c-c> = escape
    <c-l> = redraw
    """

  /// A feature with its letters, and the place that they lead to.
  struct Target: Sendable {
    var letters: [Character]
    var feature: FeatureReference
    var place: Coordinate
  }

  /// The most features that get letters.
  static let countMax = 400
  /// The letters, those under the fingers first.
  static let alphabet = Array("asdfghjklqwertyuiopzxcvbnm")

  let targets: [Target]
  /// The letters typed so far.
  var typed: [Character] = []

  private var open: [Target] { targets.filter { $0.letters.starts(with: typed) } }

  /// The letters of so many targets: one each if that is enough, else two.
  static func letters(_ count: Int) -> [[Character]] {
    if count <= alphabet.count { return alphabet.prefix(count).map { [$0] } }
    let pairs = alphabet.flatMap { first in alphabet.map { [first, $0] } }
    return Array(pairs.prefix(count))
  }

  func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    let area = desk.mapArea
    let camera = desk.mapCamera
    let look = desk.look
    for target in open {
      guard let cell = camera.cell(at: target.place) else { continue }
      let rest = String(target.letters.dropFirst(typed.count))
      let column = area.column + min(cell.column, area.columns - target.letters.count)
      let row = area.row + cell.row
      guard area.contains(column: column, row: row) else { continue }
      frame.write(
        rest, at: column, row: row, style: look.theme.chosen,
        maxColumns: area.column + area.columns - column)
    }
  }

  func take(_ key: Key, in desk: inout Desk) -> Bool {
    guard desk.session.pendingKeys.isEmpty, let character = key.typedCharacter,
      let letter = character.lowercased().first, Self.alphabet.contains(letter)
    else { return false }
    var jump = self
    jump.typed.append(letter)
    let left = jump.open
    if left.isEmpty {
      desk.fail("no letters begin with \(String(jump.typed)): Esc leaves")
    } else if let target = left.first(where: { $0.letters == jump.typed }) {
      desk.work.overlay = nil
      desk.jump(to: target, selecting: character.isUppercase)
    } else {
      desk.work.overlay = jump
    }
    return true
  }

  func press(_ event: MouseEvent, in desk: inout Desk) {
    if event.isPress { escape(in: &desk) }
  }

  func escape(in desk: inout Desk) { desk.work.overlay = nil }
}

extension Desk {
  /// Shows letters on the visible features.
  mutating func showLabels() throws {
    try requireCells()
    let targets = labelTargets()
    guard !targets.isEmpty else {
      throw EditingError(.notFound, "no features in view: _ shows everything")
    }
    leaveModes()
    work.overlay = LabelJump(targets: targets)
  }

  /// Takes the last typed letter back.
  mutating func dropLabelLetter() {
    guard var jump = work.overlay[LabelJump.self] else { return }
    if jump.typed.popLast() == nil { work.overlay = nil } else { work.overlay = jump }
  }

  mutating func jump(to target: LabelJump.Target, selecting: Bool) {
    guard document.contains(target.feature) else { return fail("the feature is gone") }
    rememberJump()
    settleCursor(at: target.place)
    work.arrival = Arrival(feature: target.feature, place: cursor)
    if selecting { select([target.feature], .replace) }
    sayFeature(target.feature)
  }

  /// The features in view that get letters, the best of each layer first: one a cell, none over
  /// another.
  private func labelTargets() -> [LabelJump.Target] {
    let camera = mapCamera
    var places: [(order: Int, layer: Int, feature: FeatureReference, place: Coordinate)] = []
    for (index, layer) in featuresInView.enumerated() {
      let found = featuresInSight(of: layer, through: camera)
        .sorted { ($0.rank, $1.feature.feature) > ($1.rank, $0.feature.feature) }
      for (order, one) in found.enumerated() {
        places.append((order, index, one.feature, one.place))
      }
    }
    places.sort { ($0.order, $0.layer) < ($1.order, $1.layer) }
    var taken = Set<Int>()
    var chosen: [(feature: FeatureReference, place: Coordinate)] = []
    for (_, _, feature, place) in places where chosen.count < LabelJump.countMax {
      guard let cell = camera.cell(at: place), cell.column >= 0, cell.row >= 0,
        cell.column < camera.size.columns, cell.row < camera.size.rows
      else { continue }
      // Two letters and a gap on either side.
      let cells = (-2...2).map { cell.row * 100_000 + cell.column + $0 }
      guard taken.isDisjoint(with: cells) else { continue }
      taken.insert(cell.row * 100_000 + cell.column)
      chosen.append((feature, place))
    }
    return zip(chosen, LabelJump.letters(chosen.count)).map { target, letters in
      LabelJump.Target(letters: letters, feature: target.feature, place: target.place)
    }
  }

  /// The features of a layer in view, at most ten thousand, with their anchors and ranks: of areas
  /// and lines without any, their size.
  private func featuresInSight(
    of layer: any FeatureHolding, through camera: Camera
  ) -> [(rank: Double, feature: FeatureReference, place: Coordinate)] {
    let visible = camera.visible
    var found: [(rank: Double, feature: FeatureReference, place: Coordinate)] = []
    for block in layer.blocks {
      let shapes = block.geometry
      let ranks = layer.ranks(of: shapes)
      guard found.count < 10_000 else { break }
      for row in 0..<block.rowCount
      where shapes.boxes[row].mayShow(in: visible, isGeographic: plane.isGeographic) {
        guard let place = shapes.geometry(ofFeature: row).anchor, camera.cell(at: place) != nil
        else { continue }
        let box = shapes.boxes[row]
        let rank = ranks?[row] ?? (box.width + box.height)
        let reference = FeatureReference(layer: layer.id, feature: block.featureIDs[row])
        found.append((rank.isNaN ? -.infinity : rank, reference, place))
      }
    }
    return found
  }
}
