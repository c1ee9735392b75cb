import PortolanDocuments
import PortolanGraphics

/// Shapes as tables write them in one column: well-known text, the digits of well-known binary as
/// PostGIS prints them, or a geometry of GeoJSON.
struct ShapeText {
  var geometry: Geometry
  /// The system that stands before or in it.
  var system: CoordinateSystem?
  var hasMeasures = false
  var hasArcs = false
  /// How it is written.
  var form = ShapeForm()

  /// `nil` for other texts.
  init?(_ text: String) {
    var room = Arcs.Room(bytes: text.utf8.count)
    self.init(text, &room)
  }

  /// - Parameter room: how many positions arcs may add; those of the text are taken from it.
  init?(_ text: String, _ room: inout Arcs.Room) {
    let first = text.utf8.first { $0 > 0x20 }
    switch first {
    case UInt8(ascii: "{"): self.init(json: text)
    case UInt8(ascii: "0"), UInt8(ascii: "\\"): self.init(digits: text, &room)
    default: self.init(words: text, &room)
    }
  }

  private init?(words text: String, _ room: inout Arcs.Room) {
    guard let read = try? WKT.read(text, &room) else { return nil }
    (geometry, hasMeasures, hasArcs) = read
    system = WKT.systemCode(text)
  }

  private init?(digits text: String, _ room: inout Arcs.Room) {
    let digits = Array(text.utf8.filter { $0 > 0x20 })
    guard let bytes = WKBFormat.bytes(ofHex: digits[...]) else { return nil }
    var builder = GeometryBlockBuilder()
    let findings = bytes.withUnsafeBytes { bytes -> WKB.Findings? in
      var reader = WKBReader(bytes, room: room)
      defer { room = reader.room }
      guard let kind = try? reader.read(into: &builder), reader.position == bytes.count else {
        return nil
      }
      builder.endFeature(kind)
      return reader.findings
    }
    guard let findings else { return nil }
    geometry = builder.block().geometry(ofFeature: 0)
    system = findings.system.map { CoordinateSystem(named: "EPSG:\($0)") }
    (hasMeasures, hasArcs) = (findings.hasMeasures, findings.hasArcs)
    form = ShapeForm(
      .digits, hasMark: digits.first == UInt8(ascii: "\\"), hasSystem: system != nil)
  }

  private init?(json text: String) {
    let read = try? GeoJSONFormat().read(
      Array(text.utf8), options: ImportOptions(name: "")
    ) { _ in }
    guard let layer = read?.layers.first as? any FeatureHolding, layer.count == 1,
      let block = layer.blocks.first, block.attributes.isEmpty, block.geometry.kinds[0] != .none
    else { return nil }
    geometry = block.geometry.geometry(ofFeature: 0)
    form = ShapeForm(.json)
  }
}
