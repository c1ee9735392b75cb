package import ArgumentParser
import PortolanDocuments
import PortolanGeometries
import PortolanGraphics

/// Makes areas of what lies within a distance.
package struct BufferFeatures: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "buffer", abstract: "Make areas of everything within a distance of features.",
    discussion: """
      buffer 500m makes a new layer of the selected features, or else of the active layer; as a \
      verb, portolan buffer roads.geojson 500m -o near.geojson. Units are m, km, mi, nmi and ft. \
      On degrees the distance is measured on the earth; on other systems in the plane, and without \
      a unit in that of the coordinates. A negative distance makes areas smaller: buffer -50m. \
      Attributes, ids and foreign members stay. See Docs/geometry.md.
      """)

  package static let operandCount = 1

  // A negative distance begins as an option does.
  @Argument(
    parsing: .allUnrecognized,
    help: "As a verb the files, as one map; then the distance.", completion: .file())
  package var words: [String] = []

  @Option(help: "The edges in a quarter of a circle, 1 to 500.")
  var segments = 16

  @OptionGroup package var work: WorkOptions

  package init() {}

  package mutating func validate() throws {
    words = words.withoutTerminator
    try refuseUnknownOptions()
    try checkWords("500m, or portolan buffer FILE 500m -o FILE")
    _ = try LengthArgument.read(operands[0])
    guard (1...500).contains(segments) else {
      throw ValidationError("--segments is a number from 1 to 500")
    }
  }

  package func run(in desk: inout Desk) throws {
    try checkPlace(in: desk)
    let distance = try LengthArgument.read(operands[0])
    let system = desk.document.metadata.coordinateSystem
    let length = try distance.value(in: system)
    if length == 0 { throw EditingError(.usage, "a buffer has a distance, and this is 0") }
    if system.isDegrees, length.magnitude > MetricBuffer.metresMax {
      throw EditingError(
        .usage, "on the earth a buffer is at most \(Int(MetricBuffer.metresMax / 1000)) km wide")
    }
    let segments = segments
    let operation = LayerOperation("buffer", done: "buffered", keepsStyle: false) { work in
      let metric = try MetricBuffer(work.geos, metres: length, segments: segments)
      return { block, row in
        let flat = FlatGeometry(block.geometry, row: row)
        let made: FlatGeometry?
        if work.isGeographic {
          made = try metric.buffer(try work.repaired(flat))
        } else {
          let shape = try work.soundShape(flat)
          made = try work.geos.flat(
            try work.geos.buffer(shape, by: length, segments: segments), dimension: 2)
        }
        return made.map { .shape($0) } ?? .nothing
      }
    }
    try desk.operate(operation, on: try chosen(in: &desk), into: place)
  }
}
