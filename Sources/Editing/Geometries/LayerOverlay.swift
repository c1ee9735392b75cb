import PortolanDocuments
import PortolanGeometries
import PortolanGraphics

/// Operations on two layers.
extension LayerOperation {
  /// What of features lies in the areas of the other side.
  static func clip(by other: OperandShapes) -> LayerOperation {
    LayerOperation("clip", done: "clipped", keepsStyle: true) { work in
      let mask = try Mask(other, work)
      return { block, row in
        let near = try mask.parts(near: block.geometry.boxes[row])
        if near.isEmpty { return .nothing }
        let flat = FlatGeometry(block.geometry, row: row)
        let shape = try work.soundShape(flat)
        let meeting = try near.filter { part throws(GeometryError) in
          try part.intersects(shape)
        }
        if meeting.isEmpty { return .nothing }
        for part in meeting where try part.covers(shape) { return .same }
        var pieces: [FlatGeometry] = []
        for part in meeting {
          let piece = try work.geos.intersection(shape, part)
          pieces += try work.geos.flat(piece, dimension: flat.commonDimension)?.separated ?? []
        }
        // The parts of the mask have no inner points in common.
        return FlatGeometry(collecting: pieces).map { .shape($0) } ?? .nothing
      }
    }
  }

  /// What of features lies outside of the areas of the other side.
  static func difference(from other: OperandShapes) -> LayerOperation {
    LayerOperation("difference", done: "cut", keepsStyle: true) { work in
      let side = OverlaySide(other.layers.flatMap(\.blocks), other.name, work)
      return { block, row in
        let flat = FlatGeometry(block.geometry, row: row)
        let dimension = flat.dimension ?? 0
        let near = side.candidates(block.geometry.boxes[row]).filter {
          side.dimension($0) >= dimension
        }
        if near.isEmpty { return .same }
        let shape = try work.soundShape(flat)
        guard let rest = try work.rest(of: shape, near, side) else { return .same }
        return try work.geos.flat(rest, dimension: flat.commonDimension).map { .shape($0) }
          ?? .nothing
      }
    }
  }

  /// The pieces that features of both sides have in common, with the attributes of both.
  static func intersection(with other: OperandShapes) -> LayerOperation {
    LayerOperation(name: "intersect", done: "intersected", keepsStyle: true) {
      source, work, builder in
      let side = OverlaySide(other.layers.flatMap(\.blocks), other.name, work)
      let pairs = OverlayPairs(source, side, work)
      source.keepOthers(&builder)
      try source.eachChosen(work, &builder) { block, row, builder in
        let flat = FlatGeometry(block.geometry, row: row)
        let near = side.candidates(block.geometry.boxes[row])
        if near.isEmpty {
          work.note { $0.empty += 1 }
          return
        }
        let shape = try work.soundShape(flat)
        if try pairs.append(block, row, flat, shape, near, &builder) == 0 {
          work.note { $0.empty += 1 }
        }
      }
      pairs.tell()
    }
  }

  /// The pieces that both sides have in common, and the rests of each side.
  static func union(with other: OperandShapes) -> LayerOperation {
    LayerOperation(name: "union", done: "united", keepsStyle: true) { source, work, builder in
      let side = OverlaySide(other.layers.flatMap(\.blocks), other.name, work)
      let pairs = OverlayPairs(source, side, work)
      source.keepOthers(&builder)
      let own = try pairs.ownSide()
      work.note { $0.unlocated += own.unplaced + side.unplaced }
      for number in own.all { try pairs.requireArea(own, number, source.layer.name) }
      for number in side.all { try pairs.requireArea(side, number, other.name) }
      for number in own.all {
        if number % 64 == 0 {
          try source.report(Double(number) / Double(own.all.count + side.all.count), work)
        }
        let place = own.place(number)
        let block = own.blocks[place.block]
        let flat = FlatGeometry(block.geometry, row: place.row)
        let near = side.candidates(block.geometry.boxes[place.row])
        let shape = try own.shape(number)
        try work.naming(block, place.row, of: source.layer.name) {
          _ = try pairs.append(block, place.row, flat, shape, near, &builder)
          let rest = try work.rest(of: shape, near, side) ?? shape
          if let left = try work.geos.flat(rest, dimension: 2) {
            builder.append(attributesOf: [(block.attributes, place.row)], left)
          }
        }
      }
      for number in side.all {
        if number % 64 == 0 {
          try source.report(
            Double(own.all.count + number) / Double(own.all.count + side.all.count), work)
        }
        let place = side.place(number)
        let block = side.blocks[place.block]
        try work.naming(block, place.row, of: other.name) {
          let shape = try side.shape(number)
          let near = own.candidates(block.geometry.boxes[place.row])
          let rest = try work.rest(of: shape, near, own) ?? shape
          if let left = try work.geos.flat(rest, dimension: 2) {
            builder.append(attributesOf: [(pairs.columns(place.block), place.row)], left)
          }
        }
      }
      pairs.tell()
    }
  }
}

extension GeometryWork {
  /// What of a shape lies in none of some others; `nil` if it meets none of them.
  func rest(
    of shape: GeosShape, _ near: [Int], _ side: OverlaySide
  ) throws -> GeosShape? {
    var meeting: [GeosShape] = []
    for number in near {
      let other = try side.shape(number)
      if try shape.intersects(other) { meeting.append(other) }
    }
    if meeting.isEmpty { return nil }
    let all = meeting.count == 1 ? meeting[0] : try geos.union(meeting)
    return try geos.difference(shape, all)
  }
}

/// The areas that features are clipped by, united, in parts that are found by their boxes.
private final class Mask {
  private let parts: [FlatGeometry]
  private let tree: BoxTree
  private let work: GeometryWork
  private var shapes: [Int: GeosShape] = [:]

  init(_ other: OperandShapes, _ work: GeometryWork) throws {
    self.work = work
    var shapes: [GeosShape] = []
    for layer in other.layers {
      for block in layer.blocks {
        for row in 0..<block.rowCount where block.geometry.dimension(ofFeature: row) == 2 {
          shapes.append(
            try work.naming(block, row, of: other.name) {
              try work.soundShape(FlatGeometry(block.geometry, row: row), isOperand: true)
            })
        }
      }
    }
    guard !shapes.isEmpty else {
      if other.layers.contains(where: { $0.count > 0 }) {
        throw EditingError(.refused, "\(other.name) has no areas: a clip keeps what lies in areas")
      }
      (parts, tree) = ([], BoxTree([]))
      return
    }
    let whole = try work.naming(other.name) {
      shapes.count == 1 ? shapes[0] : try work.geos.union(shapes)
    }
    parts = try work.geos.flat(whole, dimension: 2)?.separated ?? []
    tree = BoxTree(parts.map(\.box))
  }

  /// The parts whose boxes meet another one.
  func parts(near box: Box) throws(GeometryError) -> [GeosShape] {
    var numbers: [Int] = []
    tree.visit(meeting: work.reach(box)) { number in
      numbers.append(number)
      return true
    }
    var found: [GeosShape] = []
    for number in numbers.sorted() {
      if let known = shapes[number] {
        found.append(known)
        continue
      }
      let made = try work.geos.shape(parts[number])
      shapes[number] = made
      found.append(made)
    }
    return found
  }
}

/// Features of two layers that are put together.
private final class OverlayPairs {
  private let source: ChosenLayer
  private let side: OverlaySide
  private let work: GeometryWork
  /// The columns of the other side by its blocks, under names that are not in the layer.
  private var renamed: [[AttributeColumn]]
  private var clashes: [(name: String, newName: String)] = []
  /// The features of both sides that have parts of less extent than their pieces.
  private var mixed: Set<FeatureID> = []
  private var otherMixed: Set<Int> = []

  init(_ source: ChosenLayer, _ side: OverlaySide, _ work: GeometryWork) {
    (self.source, self.side, self.work) = (source, side, work)
    let names = NewNames(besides: source.layer.fieldNames)
    renamed = side.blocks.map { block in
      block.attributes.map { $0.renamed(names.name(for: $0.name)) }
    }
    clashes = names.clashes
  }

  /// The columns of a block of the other side.
  func columns(_ block: Int) -> [AttributeColumn] { renamed[block] }

  /// The chosen features as a side.
  func ownSide() throws -> OverlaySide {
    var blocks: [FeatureBlock] = []
    for block in source.layer.blocks {
      if let kept = block.keeping({ source.isChosen(block, $0) }) { blocks.append(kept) }
    }
    return OverlaySide(blocks, source.layer.name, work)
  }

  func requireArea(_ side: OverlaySide, _ number: Int, _ name: String) throws {
    guard side.leastDimension(number) == 2, side.dimension(number) == 2 else {
      throw EditingError(
        .refused,
        "a union is of areas, and \(name) has lines or points: take areas with --where, "
          + "or intersect and difference")
    }
  }

  /// Appends what a feature has in common with some of the other side; returns the number of
  /// pieces.
  func append(
    _ block: FeatureBlock, _ row: Int, _ flat: FlatGeometry, _ shape: GeosShape, _ near: [Int],
    _ builder: inout ResultBuilder
  ) throws -> Int {
    var count = 0
    for number in near {
      let other = try side.shape(number)
      guard try shape.intersects(other) else { continue }
      let piece = try work.geos.intersection(shape, other)
      let dimension = min(flat.dimension ?? 0, side.dimension(number))
      if flat.leastDimension < dimension { mixed.insert(block.featureIDs[row]) }
      if side.leastDimension(number) < dimension { otherMixed.insert(number) }
      guard let made = try work.geos.flat(piece, dimension: dimension) else { continue }
      let place = side.place(number)
      builder.append(
        attributesOf: [(block.attributes, row), (renamed[place.block], place.row)], made)
      count += 1
    }
    return count
  }

  /// Tells of what collections are left out, and which attributes of the other side have new
  /// names.
  func tell() {
    let count = mixed.count + otherMixed.count
    if count > 0 {
      work.note {
        $0.remarks.append(
          "of collections only the parts of the greatest extent are taken: "
            + CountText.features(count))
      }
    }
    if clashes.isEmpty { return }
    let words = clashes.map { "“\($0.name)” becomes “\($0.newName)”" }.joined(separator: ", ")
    work.note { $0.remarks.append("names that both layers have, of the second: \(words)") }
  }
}

/// Names for attributes that come beside others.
final class NewNames {
  private var known: Set<String>
  private var given: [String: String] = [:]
  private(set) var clashes: [(name: String, newName: String)] = []

  init(besides names: [String]) { known = Set(names) }

  /// The name itself, or with a number behind it.
  func name(for name: String) -> String {
    if let former = given[name] { return former }
    var made = name
    var number = 2
    while known.contains(made) {
      made = "\(name)_\(number)"
      number += 1
    }
    if made != name { clashes.append((name, made)) }
    known.insert(made)
    given[name] = made
    return made
  }
}
