import PortolanGraphics

/// Keeps the best few candidates of each small part of the map, so that their number does not grow
/// with the data; the parts are fixed on the map, so that panning keeps the choice.
struct LabelGrid {
  private static let perPart = 8
  /// Most places of a line are in other parts.
  private static let linesPerPart = 3
  /// The powers of two of a part's width and height, in dots.
  private static let (widthPower, heightPower) = (4, 3)

  /// What a part holds, the best first, and what another candidate must exceed: a line that of
  /// other lines, if these are many.
  private struct Part {
    var candidates: [LabelCandidate] = []
    var least = LabelWeight.none
    var leastLine = LabelWeight.none

    mutating func offer(_ candidate: LabelCandidate, text: (Int) -> String?) {
      // A line takes the place of another line, or of the last one in a full part.
      var last = candidates.count >= LabelGrid.perPart ? candidates.count - 1 : nil
      if candidate.dimension == 1, hasManyLines {
        last = candidates.lastIndex { $0.dimension == 1 }
      }
      if let last, !candidate.order.precedes(candidates[last].order) { return }
      guard let label = text(candidate.key.row), !label.isEmpty else { return }
      if let last { candidates.remove(at: last) }
      let index =
        candidates.firstIndex { candidate.order.precedes($0.order) } ?? candidates.count
      candidates.insert(candidate, at: index)
      candidates[index].text = label
      if candidates.count == LabelGrid.perPart { least = candidates[LabelGrid.perPart - 1].least }
      leastLine =
        hasManyLines ? candidates.last { $0.dimension == 1 }?.least ?? least : least
    }

    var hasManyLines: Bool {
      candidates.count { $0.dimension == 1 } >= LabelGrid.linesPerPart
    }
  }

  private let camera: Camera
  private let firstX: Int
  private let firstY: Int
  private let partsAcross: Int
  private var parts: [Part]

  init(_ camera: Camera) {
    self.camera = camera
    firstX = camera.originX >> Self.widthPower
    firstY = camera.originY >> Self.heightPower
    let lastX = (camera.originX + camera.dotWidth) >> Self.widthPower
    let lastY = (camera.originY + camera.dotHeight) >> Self.heightPower
    partsAcross = lastX - firstX + 1
    parts = [Part](repeating: Part(), count: partsAcross * (lastY - firstY + 1))
  }

  /// All kept candidates, in the order of placing.
  var ordered: [LabelCandidate] {
    let all = parts.flatMap(\.candidates)
    // Plain values are cheaper to sort than candidates.
    return all.indices.map { (order: all[$0].order, index: $0) }
      .sorted { $0.order.precedes($1.order) }
      .map {
        var candidate = all[$0.index]
        candidate.text = LabelName.inOneLine(candidate.text)
        return candidate
      }
  }

  /// Whether a feature of a weight could be one of the best of its part.
  @inline(__always)
  func mayTake(_ weight: LabelWeight, isLine: Bool = false, x: Int, y: Int) -> Bool {
    guard let part = part(x: x, y: y) else { return false }
    return !weight.isLess(than: isLine ? parts[part].leastLine : parts[part].least)
  }

  @inline(__always)
  private func part(x: Int, y: Int) -> Int? {
    let across = (camera.originX + x) >> Self.widthPower - firstX
    let down = (camera.originY + y) >> Self.heightPower - firstY
    let part = down * partsAcross + across
    return part >= 0 && part < parts.count ? part : nil
  }

  /// Offers a candidate; its text is read only if there is room for it.
  mutating func offer(_ candidate: LabelCandidate, text: (Int) -> String?) {
    guard let part = part(x: candidate.x, y: candidate.y) else { return }
    parts[part].offer(candidate, text: text)
  }
}

extension LabelCandidate {
  /// What takes its place must exceed this; nothing takes that of a chosen feature by its weight.
  fileprivate var least: LabelWeight { isChosen ? .none : weight }
}
