import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport

/// Layers of all kinds of geometry with typed attributes.
struct RandomLayers {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &generator)
  }

  private mutating func count(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// A layer whose features are all of one kind of geometry, or of any.
  mutating func layer(
    _ name: String, kind wanted: GeometryKind? = nil, hasHeights: Bool = false
  ) -> FeatureLayer {
    var layer = FeatureLayer(
      id: LayerID(1), name: name, style: Style(name: name, mark: MarkStyle()))
    let kinds = GeometryKind.allCases.filter { $0 != .none }
    let features = (1...count(1...40)).map { number in
      let kind = wanted ?? kinds.randomElement(using: &generator) ?? .point
      return Feature(
        id: FeatureID(UInt64(number)),
        geometry: count(0...9) == 0 ? .none : geometry(kind, hasHeights),
        attributes: [
          ("whole", value { .number(String($0.count(-1_000_000...1_000_000))) }),
          (
            "long", value { .number(String(Int64.random(in: .min ... .max, using: &$0.generator))) }
          ),
          ("real", value { .number("\($0.number(-1e6...1e6))") }),
          ("truth", value { .bool($0.count(0...1) == 1) }),
          ("text", value { .string(["", "a", "Zoë 東京", "x'y\"z", "1"][$0.count(0...4)]) }),
        ])
    }
    layer.add(features, isExact: true) { $0 }
    return layer
  }

  private mutating func value(
    _ make: (inout RandomLayers) -> AttributeValue
  ) -> AttributeValue {
    count(0...7) == 0 ? .null : make(&self)
  }

  private mutating func geometry(_ kind: GeometryKind, _ hasHeights: Bool) -> Geometry {
    if kind != .geometryCollection {
      return Geometry(kind: kind, paths: paths(kind, hasHeights))
    }
    let members: [GeometryKind] = [.point, .lineString, .polygon, .multiPolygon]
    let paths = (0..<count(1...3)).flatMap { _ in
      self.paths(members[count(0...3)], hasHeights)
    }
    return Geometry(kind: kind, paths: paths)
  }

  private mutating func paths(_ kind: GeometryKind, _ hasHeights: Bool) -> [Geometry.Path] {
    let (parts, isRing) = (count(1...3), kind == .polygon || kind == .multiPolygon)
    var paths: [Geometry.Path] = []
    let several: Set<GeometryKind> = [.multiLineString, .polygon, .multiPolygon]
    for part in 0..<(several.contains(kind) ? parts : 1) {
      let isOuter = kind == .multiPolygon ? part == 0 || count(0...1) == 0 : part == 0
      var path = Geometry.Path(
        role: PathRole(
          kind: kind, beginsMember: part == 0, beginsPolygon: isRing && isOuter),
        vertices: [])
      let vertices = kind == .point ? 1 : count(isRing ? 3...6 : 2...6)
      for _ in 0..<vertices {
        path.vertices.append(Coordinate(x: number(-179...179), y: number(-89...89)))
        if hasHeights { path.elevations.append(number(-10...9000)) }
      }
      if isRing {
        path.vertices.append(path.vertices[0])
        if hasHeights { path.elevations.append(path.elevations[0]) }
      }
      paths.append(path)
    }
    return paths
  }
}

extension FeatureValues {
  /// The same where no value and null are one, and ids are left aside.
  var asTable: FeatureValues {
    var values = self
    values.identifier = .missing
    values.attributes = values.attributes.filter { $0.value != .null }
    values.members = [:]
    values.geometryMembers = [:]
    return values
  }
}
