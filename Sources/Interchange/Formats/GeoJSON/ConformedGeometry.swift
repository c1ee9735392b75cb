import PortolanDocuments
import PortolanGraphics

/// A geometry by the rules of RFC 7946: outer rings counter-clockwise and holes clockwise (3.1.6),
/// and nothing across the antimeridian (3.1.9).
///
/// A step of more than 180 degrees, but less than the whole turn, is taken the short way round, as
/// it is drawn. Shapes that then reach beyond 180 are cut there. A ring around a pole, which does
/// not return to its start that way, is left uncut, and a box around the world stays one.
///
/// Geometry that follows the rules stays unchanged, to the last bit.
struct ConformedGeometry {
  private(set) var geometry: Geometry
  /// The text of its `bbox` member, if it was cut.
  private(set) var boxText: String?

  /// - Parameters:
  ///   - geometry: with closed rings, rounded as for writing: rounding can reverse a ring.
  ///   - decimals: of new vertices, if lines are cut.
  ///   - isGeographic: whether coordinates are degrees; others are only wound.
  init(_ geometry: Geometry, decimals: Int, isGeographic: Bool) {
    self.geometry = geometry
    guard geometry.kind != .none, !geometry.paths.isEmpty else { return }
    let cut = AntimeridianCut(decimals: decimals)
    var paths: [Geometry.Path] = []
    var range: (west: Double, east: Double)?
    let members = Self.members(geometry.paths)
    for member in members {
      var parts = Self.polygons(member).map { Self.wound($0, isGeographic) }
      if isGeographic {
        let whole = parts.map { cut.parts(of: $0) }
        for part in whole {
          guard let extent = part.extent else { continue }
          range = (
            min(range?.west ?? extent.west, extent.west),
            max(range?.east ?? extent.east, extent.east)
          )
        }
        // The pieces of a self-intersecting ring can have the other direction.
        parts = whole.flatMap(\.pieces).map { Self.wound($0, true) }
      }
      paths += Self.joined(parts, as: member[0].role.kind)
    }
    let single = members.count == 1 ? paths.first?.role.kind : nil
    let kind = geometry.kind == .geometryCollection ? geometry.kind : single ?? geometry.kind
    self.geometry = Geometry(kind: kind, paths: paths)
    if let range { boxText = Self.boxText(range, self.geometry.box) }
  }

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
  private static func wound(_ paths: [Geometry.Path], _ isGeographic: Bool) -> [Geometry.Path] {
    func area(_ path: Geometry.Path) -> Double {
      let vertices = isGeographic ? AntimeridianCut.unwrapped(path.vertices) : path.vertices
      return AntimeridianCut.signedArea(vertices)
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
