import PortolanGraphics

/// Keeps the best few candidates of each small part of the map, so that their number does not grow
/// with the data; the parts are fixed on the map, so that panning keeps the choice.
struct LabelGrid {
  private static let perPart = 8
  /// Most places of a line are in other parts.
  private static let linesPerPart = 3
  /// The powers of two of a part's width and height, in dots.
  private static let (widthPower, heightPower) = (4, 3)

  /// What a part holds, and what another candidate must exceed: a line that of other lines, if
  /// these are many.
  private struct Part {
    var count = 0
    var lineCount = 0
    var least = LabelWeight.none
    var leastLine = LabelWeight.none
  }

  private let camera: Camera
  private let firstX: Int
  private let firstY: Int
  private let partsAcross: Int
  private var parts: [Part]
  /// The candidates of each part, the best first, by their numbers in `kept`; each part has room
  /// for `perPart`.
  private var slots: [Int]
  private var kept: [LabelCandidate] = []
  /// The places of the kept ones in the order of naming: cheaper to compare than candidates.
  private var orders: [LabelOrder] = []

  init(_ camera: Camera) {
    self.camera = camera
    firstX = camera.originX >> Self.widthPower
    firstY = camera.originY >> Self.heightPower
    let lastX = (camera.originX + camera.dotWidth) >> Self.widthPower
    let lastY = (camera.originY + camera.dotHeight) >> Self.heightPower
    partsAcross = lastX - firstX + 1
    parts = [Part](repeating: Part(), count: partsAcross * (lastY - firstY + 1))
    slots = [Int](repeating: 0, count: parts.count * Self.perPart)
  }

  /// Makes room for so many lines at most.
  mutating func expect(lines count: Int) {
    let room = kept.count + min(count, Self.linesPerPart * parts.count)
    kept.reserveCapacity(room)
    orders.reserveCapacity(room)
  }

  /// All kept candidates, in the order of placing.
  var ordered: [LabelCandidate] {
    // What tells most of them apart is cheaper to move than all of it.
    var chosen: [Int] = []
    var others: [(rank: Double, extent: Double, number: Int)] = []
    others.reserveCapacity(kept.count)
    for part in parts.indices {
      for slot in slots(ofPart: part) {
        let number = slots[slot]
        if orders[number].isChosen {
          chosen.append(number)
        } else {
          let weight = orders[number].weight
          others.append((weight.rank, weight.extent, number))
        }
      }
    }
    chosen.sort { orders[$0].precedes(orders[$1]) }
    orders.withUnsafeBufferPointer { orders in
      others.sort { one, other in
        if one.rank != other.rank { return one.rank > other.rank }
        if one.extent != other.extent { return one.extent > other.extent }
        return orders[one.number].precedes(orders[other.number])
      }
    }
    var candidates: [LabelCandidate] = []
    candidates.reserveCapacity(chosen.count + others.count)
    for number in chosen { candidates.append(named(number)) }
    for other in others { candidates.append(named(other.number)) }
    return candidates
  }

  /// A kept candidate with its text in one line.
  private func named(_ number: Int) -> LabelCandidate {
    var candidate = kept[number]
    candidate.text = LabelName.inOneLine(candidate.text)
    return candidate
  }

  private func slots(ofPart part: Int) -> Range<Int> {
    part * Self.perPart..<(part * Self.perPart + parts[part].count)
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
    let slots = slots(ofPart: part)
    let isLine = candidate.dimension == 1
    // A line takes the place of another line, or of the last one in a full part.
    var last = slots.count >= Self.perPart ? slots.last : nil
    if isLine, parts[part].lineCount >= Self.linesPerPart { last = lastLine(in: slots) }
    let order = candidate.order
    if let last, !order.precedes(orders[self.slots[last]]) { return }
    guard let label = text(candidate.key.row), !label.isEmpty else { return }
    let number = last.map { self.slots[$0] } ?? kept.count
    if last == nil {
      kept.append(candidate)
      orders.append(order)
      parts[part].count += 1
    } else {
      if kept[number].dimension == 1 { parts[part].lineCount -= 1 }
      kept[number] = candidate
      orders[number] = order
    }
    kept[number].text = label
    if isLine { parts[part].lineCount += 1 }
    var slot = last ?? slots.upperBound
    while slot > slots.lowerBound, order.precedes(orders[self.slots[slot - 1]]) {
      self.slots[slot] = self.slots[slot - 1]
      slot -= 1
    }
    self.slots[slot] = number
    noteLeast(ofPart: part)
  }

  private func lastLine(in slots: Range<Int>) -> Int? {
    slots.last { kept[self.slots[$0]].dimension == 1 }
  }

  private mutating func noteLeast(ofPart part: Int) {
    let slots = slots(ofPart: part)
    if slots.count == Self.perPart, let last = slots.last {
      parts[part].least = orders[self.slots[last]].least
    }
    let hasManyLines = parts[part].lineCount >= Self.linesPerPart
    let last = hasManyLines ? lastLine(in: slots) : nil
    parts[part].leastLine = last.map { orders[self.slots[$0]].least } ?? parts[part].least
  }
}

extension LabelOrder {
  /// What takes its place must exceed this; nothing takes that of a chosen feature by its weight.
  fileprivate var least: LabelWeight { isChosen ? .none : weight }
}
