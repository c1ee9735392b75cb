import PortolanDocuments
import PortolanGraphics

/// A geometry by the rules of RFC 7946: outer rings counter-clockwise and holes clockwise (3.1.6),
/// and nothing across the antimeridian (3.1.9).
///
/// Steps go as `Longitude` has them. Shapes that reach beyond 180 are cut there; a ring around a
/// pole is closed along it, and a box around the world stays one.
///
/// Geometry that follows the rules stays unchanged, to the last bit.
struct ConformedGeometry {
  private(set) var geometry: Geometry
  /// The text of its `bbox` member, if it was cut.
  private(set) var boxText: String?
  /// The number of steps that go the short way across the antimeridian.
  private(set) var jumpCount = 0

  /// - Parameters:
  ///   - geometry: with closed rings, rounded as for writing: rounding can reverse a ring.
  ///   - decimals: of new vertices, if lines are cut.
  ///   - isGeographic: whether coordinates are degrees; others are only wound.
  ///   - winds: whether rings get the direction of the rules; else they keep their own.
  init(_ geometry: Geometry, decimals: Int, isGeographic: Bool, winds: Bool = true) {
    self.geometry = geometry
    guard geometry.kind != .none, !geometry.paths.isEmpty else { return }
    let mayJump = isGeographic && geometry.box.mayJump
    let cut = AntimeridianCut(decimals: decimals, mayJump: mayJump)
    var paths: [Geometry.Path] = []
    var range: (west: Double, east: Double)?
    let members = Self.members(geometry.paths)
    for member in members {
      var parts = Self.polygons(member)
      if winds { parts = parts.map { Self.wound($0, mayJump) } }
      if isGeographic {
        let whole = parts.map { cut.parts(of: $0) }
        for part in whole {
          jumpCount += part.jumpCount
          guard let extent = part.extent else { continue }
          range = (
            min(range?.west ?? extent.west, extent.west),
            max(range?.east ?? extent.east, extent.east)
          )
        }
        parts = whole.flatMap(\.pieces)
        // The pieces of a self-intersecting ring can have the other direction.
        if winds { parts = parts.map { Self.wound($0, false) } }
      }
      paths += Self.joined(parts, as: member[0].role.kind)
    }
    let single = members.count == 1 ? paths.first?.role.kind : nil
    let kind = geometry.kind == .geometryCollection ? geometry.kind : single ?? geometry.kind
    self.geometry = Geometry(kind: kind, paths: paths)
    if let range { boxText = Self.boxText(range, self.geometry.box) }
  }

  /// A geometry that is written as it stands.
  init(unchanged geometry: Geometry) { self.geometry = geometry }

  private static func members(_ paths: [Geometry.Path]) -> [[Geometry.Path]] {
    paths.runs { $0.role.beginsMember }
  }

  /// The polygons of a member; lines and points one by one.
  private static func polygons(_ member: [Geometry.Path]) -> [[Geometry.Path]] {
    member.runs { !$0.role.isRing || $0.role.beginsPolygon }
  }

  /// Turns the rings of a polygon to the right direction; lines and points stay.
  ///
  /// A ring without area has no direction, and may seem to have the wrong one from either end.
  private static func wound(_ paths: [Geometry.Path], _ mayJump: Bool) -> [Geometry.Path] {
    func area(_ path: Geometry.Path) -> Double {
      Ring.signedArea(mayJump ? Geometry.unwrapped(path.vertices).vertices : path.vertices)
    }
    return paths.enumerated().map { index, path in
      let sign: Double = index == 0 ? 1 : -1
      guard path.role.isRing, area(path) * sign < 0 else { return path }
      let reversed = path.reversed
      return area(reversed) * sign > 0 ? reversed : path
    }
  }

  /// Gives paths their roles again, as one geometry of a kind or of its multiple.
  private static func joined(
    _ parts: [[Geometry.Path]], as kind: GeometryKind
  ) -> [Geometry.Path] {
    let kind: GeometryKind =
      switch kind {
      case .polygon where parts.count > 1: .multiPolygon
      case .lineString where parts.count > 1: .multiLineString
      default: kind
      }
    var paths: [Geometry.Path] = []
    for part in parts {
      for (index, path) in part.enumerated() {
        var path = path
        path.role = PathRole(
          kind: kind, beginsMember: paths.isEmpty,
          beginsPolygon: index == 0 && (kind == .polygon || kind == .multiPolygon))
        paths.append(path)
      }
    }
    return paths
  }

  private static func boxText(_ range: (west: Double, east: Double), _ box: Box) -> String {
    let isWhole = range.east - range.west >= 360
    let numbers = [
      isWhole ? -180 : Longitude.wrapped(range.west), box.minY,
      isWhole ? 180 : Longitude.wrapped(range.east), box.maxY,
    ]
    let texts = numbers.map {
      String(decoding: NumberPrinter.shortest($0, isPointed: false), as: UTF8.self)
    }
    return "[" + texts.joined(separator: ",") + "]"
  }
}

extension Geometry.Path {
  /// The path in reverse order.
  fileprivate var reversed: Geometry.Path {
    Geometry.Path(
      role: role, vertices: vertices.reversed(), elevations: elevations.reversed())
  }
}
