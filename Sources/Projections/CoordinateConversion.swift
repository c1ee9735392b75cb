internal import PortolanCProj
import PortolanGraphics

/// A conversion of coordinates from one system into another; x is east or longitude, y is north or
/// latitude in both, and degrees are degrees.
///
/// Degrees, Web Mercator, Equal Earth and UTM on WGS 84 and ETRS89 are converted by our own
/// formulas, all other systems by PROJ, which is found at run time. PROJ takes the best way that
/// its files allow; it never asks the network.
package final class CoordinateConversion {
  private enum Way {
    case same
    case own(OwnSystem, OwnSystem)
    case library(Proj, OpaquePointer)
  }

  private let way: Way
  /// The decimals that keep a tenth of a millimetre in the target; `nil` where its unit is unknown.
  package let decimals: Int?

  /// - Parameters:
  ///   - source: the name of a register's system, such as `EPSG:31467`.
  ///   - target: another one.
  /// - Throws: `ProjectionError`.
  package init(from source: String, to target: String) throws(ProjectionError) {
    if let from = OwnSystem(source), let to = OwnSystem(target) {
      way = source == target ? .same : .own(from, to)
      if case .degrees = to { decimals = 9 } else { decimals = 4 }
      return
    }
    guard let library = Proj() else { throw .missing(from: source, to: target) }
    for name in [source, target] where !library.knows(name) { throw .unknown(name) }
    decimals = library.decimals(of: target)
    if source == target {
      way = .same
      return
    }
    guard let pipe = library.pipe(from: source, to: target) else {
      throw .noWay(from: source, to: target)
    }
    way = .library(library, pipe)
  }

  deinit {
    if case .library(let library, let pipe) = way { library.end(pipe) }
  }

  /// Converts x and y of each vertex in turn; what has no place in the target becomes infinite.
  ///
  /// Results are rounded to `decimals`, a tenth of a millimetre.
  ///
  /// - Complexity: O(vertices), about 0.3 µs each.
  package func convert(_ pairs: inout [Double]) {
    switch way {
    case .same: return
    case .own(let from, let to):
      for index in stride(from: 0, to: pairs.count - 1, by: 2) {
        let place = to.place(from.degrees(Coordinate(x: pairs[index], y: pairs[index + 1])))
        let isSound = place.x.isFinite && place.y.isFinite
        pairs[index] = isSound ? place.x : .infinity
        pairs[index + 1] = isSound ? place.y : .infinity
      }
    case .library(let library, let pipe): library.convert(&pairs, by: pipe)
    }
    round(&pairs)
  }

  private func round(_ pairs: inout [Double]) {
    guard let decimals else { return }
    let scale = decimals == 9 ? 1e9 : 1e4
    for index in pairs.indices where pairs[index].magnitude < 1e15 / scale {
      pairs[index] = (pairs[index] * scale).rounded() / scale
    }
  }
}

/// PROJ, loaded, with a context of its own.
package final class Proj {
  private let calls: portolan_proj
  private let context: OpaquePointer

  /// `nil` if the library is missing.
  package init?() {
    let found: portolan_proj? = withUnsafeTemporaryAllocation(of: portolan_proj.self, capacity: 1) {
      guard let place = $0.baseAddress, portolan_proj_find(place) == 1 else { return nil }
      return place.pointee
    }
    guard let found, let context = found.proj_context_create() else { return nil }
    (calls, self.context) = (found, context)
    // It writes to standard error otherwise.
    _ = calls.proj_log_level(context, 0)
  }

  deinit { _ = calls.proj_context_destroy(context) }

  /// PROJ's numbers for kinds of coordinate systems; geocentric and vertical ones are none here.
  private static let systems: Set<Int32> = [8, 9, 11, 12, 13, 15, 16, 18, 19, 20]

  /// Whether it knows a system, by its name in a register or its well-known text.
  package func knows(_ name: String) -> Bool { with(name) { _ in true } ?? false }

  /// The name of a system for people.
  package func title(of name: String) -> String? {
    with(name) { calls.proj_get_name($0).map { String(cString: $0) } } ?? nil
  }

  /// Its well-known text as GDAL writes it.
  package func text(of name: String) -> String? {
    // PJ_WKT1_GDAL
    with(name) { calls.proj_as_wkt(context, $0, 4, nil).map { String(cString: $0) } } ?? nil
  }

  /// The code of EPSG for a system that is given as well-known text and has the same definition.
  package func code(ofText text: String) -> String? {
    with(text) { system -> String? in
      var confidences: UnsafeMutablePointer<Int32>?
      let list = calls.proj_identify(context, system, "EPSG", nil, &confidences)
      defer {
        calls.proj_int_list_destroy(confidences)
        calls.proj_list_destroy(list)
      }
      // 90: the same but for the name; below, others may be meant.
      guard let confidences, calls.proj_list_get_count(list) > 0, confidences[0] >= 90,
        let best = calls.proj_list_get(context, list, 0)
      else { return nil }
      defer { _ = calls.proj_destroy(best) }
      return calls.proj_get_id_code(best, 0).map { String(cString: $0) }
    } ?? nil
  }

  /// The unit of the first axis of a system: its size in metres or radians, and its name.
  package func unit(of name: String) -> (size: Double, name: String)? {
    with(name) { system -> (size: Double, name: String)? in
      let horizontal = calls.proj_crs_get_sub_crs(context, system, 0)
      defer { _ = calls.proj_destroy(horizontal) }
      guard let axes = calls.proj_crs_get_coordinate_system(context, horizontal ?? system) else {
        return nil
      }
      defer { _ = calls.proj_destroy(axes) }
      var size = 0.0
      var word: UnsafePointer<CChar>?
      let code = calls.proj_cs_get_axis_info(
        context, axes, 0, nil, nil, nil, &size, &word, nil, nil)
      guard code == 1
      else { return nil }
      return (size, word.map { String(cString: $0) } ?? "")
    } ?? nil
  }

  fileprivate func decimals(of name: String) -> Int? {
    guard let unit = unit(of: name) else { return nil }
    if unit.name == "degree" { return 9 }
    return (0.2...1.1).contains(unit.size) ? 4 : nil
  }

  private func with<Value>(_ name: String, _ body: (OpaquePointer) -> Value) -> Value? {
    guard let system = calls.proj_create(context, name) else { return nil }
    defer { _ = calls.proj_destroy(system) }
    guard Self.systems.contains(calls.proj_get_type(system)) else { return nil }
    return body(system)
  }

  /// PROJ knows EPSG's ways for the names of EPSG: between WGS 84 as OGC's CRS84 and a system of
  /// EPSG it would take those of ESRI, which differ by a metre from what other programs take.
  private static let names = [
    "OGC:CRS84": "EPSG:4326", "OGC:CRS83": "EPSG:4269", "OGC:CRS27": "EPSG:4267",
  ]

  fileprivate func pipe(from source: String, to target: String) -> OpaquePointer? {
    let (source, target) = (Self.names[source] ?? source, Self.names[target] ?? target)
    guard let raw = calls.proj_create_crs_to_crs(context, source, target, nil) else { return nil }
    defer { _ = calls.proj_destroy(raw) }
    return calls.proj_normalize_for_visualization(context, raw)
  }

  fileprivate func end(_ pipe: OpaquePointer) { _ = calls.proj_destroy(pipe) }

  fileprivate func convert(_ pairs: inout [Double], by pipe: OpaquePointer) {
    let step = 2 * MemoryLayout<Double>.stride
    pairs.withUnsafeMutableBufferPointer { pairs in
      guard let start = pairs.baseAddress else { return }
      let count = pairs.count / 2
      _ = calls.proj_errno_reset(pipe)
      _ = calls.proj_trans_generic(
        pipe, 1, start, step, count, start + 1, step, count, nil, 0, 0, nil, 0, 0)
      for index in stride(from: 0, to: 2 * count, by: 2)
      where !pairs[index].isFinite || !pairs[index + 1].isFinite {
        (pairs[index], pairs[index + 1]) = (.infinity, .infinity)
      }
    }
  }
}
