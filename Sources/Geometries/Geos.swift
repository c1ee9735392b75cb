internal import PortolanCGEOS

/// GEOS, loaded, with a context of its own: operations on shapes in a plane.
///
/// It belongs to one thread. Each operation asks now and then whether it is to stop.
package final class Geos {
  let calls: portolan_geos
  let context: OpaquePointer
  private let message: UnsafeMutablePointer<portolan_geos_message>
  private let isStopped: () -> Bool

  /// - Parameter isStopped: asked during long operations, which end then.
  /// - Throws: `GeometryError.missing`.
  package init(isStopped: @escaping () -> Bool = { false }) throws(GeometryError) {
    let found: portolan_geos? = withUnsafeTemporaryAllocation(of: portolan_geos.self, capacity: 1) {
      guard let place = $0.baseAddress, portolan_geos_find(place) == 1 else { return nil }
      return place.pointee
    }
    guard let found, let context = found.GEOS_init_r() else { throw .missing }
    (calls, self.context, self.isStopped) = (found, context, isStopped)
    message = .allocate(capacity: 1)
    withUnsafePointer(to: calls) { portolan_geos_listen($0, context, message) }
  }

  deinit {
    calls.GEOS_finish_r(context)
    message.deallocate()
  }

  /// Throws when the work was stopped.
  package func check() throws(GeometryError) {
    if isStopped() { throw .interrupted }
  }

  // MARK: Operations

  /// What lies within a distance, in the unit of the plane; a negative one takes a rim off areas.
  ///
  /// - Parameter segments: the edges in a quarter of a circle.
  package func buffer(
    _ shape: GeosShape, by distance: Double, segments: Int
  ) throws(GeometryError) -> GeosShape {
    try perform("the buffer") {
      calls.GEOSBuffer_r(context, shape.pointer, distance, Int32(clamping: segments))
    }
  }

  package func intersection(
    _ one: GeosShape, _ other: GeosShape
  ) throws(GeometryError) -> GeosShape {
    try perform("the intersection") {
      calls.GEOSIntersection_r(context, one.pointer, other.pointer)
    }
  }

  /// What of one shape is not in the other.
  package func difference(
    _ one: GeosShape, _ other: GeosShape
  ) throws(GeometryError) -> GeosShape {
    try perform("the difference") {
      calls.GEOSDifference_r(context, one.pointer, other.pointer)
    }
  }

  /// The union of some shapes; lines are cut where they meet, and joined again where nothing
  /// branches off.
  package func union(_ shapes: [GeosShape]) throws(GeometryError) -> GeosShape {
    let all = try collected(shapes)
    return try perform("the union") { calls.GEOSUnaryUnion_r(context, all.pointer) }
  }

  /// Lines joined where two ends meet.
  package func mergedLines(_ shape: GeosShape) throws(GeometryError) -> GeosShape {
    try perform("the merge of lines") { calls.GEOSLineMerge_r(context, shape.pointer) }
  }

  /// The shape with its faults repaired; all its vertices stay.
  package func repaired(_ shape: GeosShape) throws(GeometryError) -> GeosShape {
    try perform("the repair") { calls.GEOSMakeValid_r(context, shape.pointer) }
  }

  package func centroid(_ shape: GeosShape) throws(GeometryError) -> GeosShape {
    try perform("the centroid") { calls.GEOSGetCentroid_r(context, shape.pointer) }
  }

  /// A point that lies in the shape.
  package func pointOnSurface(_ shape: GeosShape) throws(GeometryError) -> GeosShape {
    try perform("the point on the surface") {
      calls.GEOSPointOnSurface_r(context, shape.pointer)
    }
  }

  package func convexHull(_ shape: GeosShape) throws(GeometryError) -> GeosShape {
    try perform("the hull") { calls.GEOSConvexHull_r(context, shape.pointer) }
  }

  /// Whether rings and polygons obey the rules of OGC's simple features.
  package func isValid(_ shape: GeosShape) throws(GeometryError) -> Bool {
    try truth("the check") { calls.GEOSisValid_r(context, shape.pointer) }
  }

  /// The area in the plane.
  package func area(of shape: GeosShape) throws(GeometryError) -> Double {
    var area = 0.0
    guard calls.GEOSArea_r(context, shape.pointer, &area) == 1, area.isFinite else {
      throw failure("the area")
    }
    return area
  }

  // MARK: Calling

  /// Does something that makes a shape; only one thread of the program does so at a time.
  func perform(
    _ name: String, _ body: () -> OpaquePointer?
  ) throws(GeometryError) -> GeosShape {
    let (made, isStopped) = watched(body)
    if let made {
      let shape = GeosShape(made, of: self)
      if isStopped { throw .interrupted }
      return shape
    }
    throw isStopped ? .interrupted : failure(name)
  }

  func truth(_ name: String, _ body: () -> CChar) throws(GeometryError) -> Bool {
    let (answer, isStopped) = watched(body)
    if isStopped { throw .interrupted }
    guard answer == 0 || answer == 1 else { throw failure(name) }
    return answer == 1
  }

  private func watched<Result>(_ body: () -> Result) -> (Result, isStopped: Bool) {
    withUnsafePointer(to: calls) { calls in
      portolan_geos_begin(
        calls,
        { place in
          guard let place else { return 0 }
          return Unmanaged<Geos>.fromOpaque(place).takeUnretainedValue().isStopped() ? 1 : 0
        }, Unmanaged.passUnretained(self).toOpaque())
      let result = body()
      return (result, portolan_geos_end(calls) == 1)
    }
  }

  func failure(_ name: String) -> GeometryError {
    let text = withUnsafeBytes(of: message.pointee.text) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return .failed(name, reason: text)
  }
}

/// A shape of GEOS.
package final class GeosShape {
  let pointer: OpaquePointer
  let geos: Geos
  /// The shape made ready for many questions, once it was asked one.
  private var ready: OpaquePointer?
  private lazy var vertexCount = geos.calls.GEOSGetNumCoordinates_r(geos.context, pointer)

  init(_ pointer: OpaquePointer, of geos: Geos) { (self.pointer, self.geos) = (pointer, geos) }

  deinit {
    if let ready { geos.calls.GEOSPreparedGeom_destroy_r(geos.context, ready) }
    geos.calls.GEOSGeom_destroy_r(geos.context, pointer)
  }

  package var isEmpty: Bool { geos.calls.GEOSisEmpty_r(geos.context, pointer) == 1 }

  /// Whether the shapes have a point in common.
  ///
  /// The one with more vertices is made ready: GEOS keeps room there for the other one, so that
  /// many small shapes which meet a great one would take the room of as many great ones.
  package func intersects(_ other: GeosShape) throws(GeometryError) -> Bool {
    let (great, small) = vertexCount < other.vertexCount ? (other, self) : (self, other)
    let ready = try great.madeReady()
    return try geos.truth("the comparison") {
      geos.calls.GEOSPreparedIntersects_r(geos.context, ready, small.pointer)
    }
  }

  /// Whether no point of the other shape lies outside.
  package func covers(_ other: GeosShape) throws(GeometryError) -> Bool {
    let ready = try madeReady()
    return try geos.truth("the comparison") {
      geos.calls.GEOSPreparedCovers_r(geos.context, ready, other.pointer)
    }
  }

  private func madeReady() throws(GeometryError) -> OpaquePointer {
    if let ready { return ready }
    guard let made = geos.calls.GEOSPrepare_r(geos.context, pointer) else {
      throw geos.failure("the preparation")
    }
    ready = made
    return made
  }
}
