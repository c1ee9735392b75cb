import PortolanDocuments
import PortolanGeometries
import PortolanGraphics

/// The shapes of the other side, found by their boxes, made when they are first wanted.
final class OverlaySide {
  /// A feature of the other side.
  struct Place: Hashable {
    var block: Int
    var row: Int
  }

  let blocks: [FeatureBlock]
  private let name: String
  private let work: GeometryWork
  /// The boxes of all features with a shape, in the world.
  private let places: [Place]
  /// The number of features without a shape.
  let unplaced: Int
  private let tree: BoxTree
  private var shapes: [Int: GeosShape] = [:]

  init(_ blocks: [FeatureBlock], _ name: String, _ work: GeometryWork) {
    (self.blocks, self.name, self.work) = (blocks, name, work)
    var places: [Place] = []
    var boxes: [Box] = []
    for (number, block) in blocks.enumerated() {
      for row in 0..<block.rowCount where !block.geometry.boxes[row].isEmpty {
        places.append(Place(block: number, row: row))
        boxes.append(work.reach(block.geometry.boxes[row]))
      }
    }
    self.places = places
    unplaced = blocks.reduce(0) { $0 + $1.rowCount } - places.count
    tree = BoxTree(boxes)
  }

  /// All features with a shape.
  var all: Range<Int> { places.indices }

  func place(_ number: Int) -> Place { places[number] }

  /// The numbers of the features whose boxes meet another one, rising.
  func candidates(_ box: Box) -> [Int] {
    var found: [Int] = []
    tree.visit(meeting: work.reach(box)) { number in
      found.append(number)
      return true
    }
    return found.sorted()
  }

  /// The dimension of a feature.
  func dimension(_ number: Int) -> Int {
    let place = places[number]
    return blocks[place.block].geometry.dimension(ofFeature: place.row)
  }

  /// The least dimension of the parts of a feature.
  func leastDimension(_ number: Int) -> Int {
    let place = places[number]
    let geometry = blocks[place.block].geometry
    return geometry.paths(ofFeature: place.row).reduce(2) {
      min($0, geometry.pathRoles[$1].kind.dimension ?? 2)
    }
  }

  /// The valid shape of a feature.
  func shape(_ number: Int) throws -> GeosShape {
    if let known = shapes[number] { return known }
    let place = places[number]
    let block = blocks[place.block]
    let made = try work.naming(block, place.row, of: name) {
      try work.soundShape(FlatGeometry(block.geometry, row: place.row), isOperand: true)
    }
    shapes[number] = made
    return made
  }
}

extension FlatGeometry {
  /// The least dimension of its parts; 2 without paths.
  var leastDimension: Int { roles.compactMap(\.kind.dimension).min() ?? 2 }
}

extension GeometryWork {
  /// Where the shapes of a box may lie in the world.
  func reach(_ box: Box) -> Box {
    guard isGeographic, box.isOnGlobe, box.leavesWorld || box.mayJump else { return box }
    let reach = box.reachOnGlobe
    return Box(minX: -180, minY: reach.minY, maxX: 180, maxY: reach.maxY)
  }
}
