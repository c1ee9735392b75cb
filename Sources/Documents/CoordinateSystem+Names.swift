/// Coordinate systems by the names in files.
extension CoordinateSystem {
  /// The longest name that is kept, in characters.
  private static let nameMax = 200

  /// Reads a name: `EPSG:3857`, `urn:ogc:def:crs:EPSG::3857`, a web address of a register, or a
  /// plain name.
  ///
  /// Every name of longitude and latitude on WGS 84 gives `crs84`.
  package init(named text: String) {
    var text = text.drop(while: \.isWhitespace)
    if text.hasPrefix(Self.localStart) {
      text = text.dropFirst(Self.localStart.count).prefix { $0 != "\"" }
      self.init(authority: "", code: String(text.prefix(Self.nameMax)))
      return
    }
    while text.last?.isWhitespace == true { text.removeLast() }
    let name = String(text.prefix(Self.nameMax))
    self = Self.registered(name) ?? CoordinateSystem(authority: "", code: name)
    if isWGS84 { self = .crs84 }
  }

  private static let localStart = "LOCAL_CS[\""

  /// The name that other programs know: one of a register, else well-known text of a local system,
  /// since they take an unknown name for longitude and latitude.
  package var publicName: String {
    switch authority {
    case "":
      Self.localStart + code.replacing("\"", with: "'") + "\",UNIT[\"unknown\",1]]"
    case "OGC": "urn:ogc:def:crs:OGC:1.3:" + code
    default: "urn:ogc:def:crs:\(authority)::\(code)"
    }
  }

  /// The registered code in a name.
  private static func registered(_ name: String) -> CoordinateSystem? {
    let parts = name.split { ":/#".contains($0) || $0.isWhitespace }.map(String.init)
    // Compound systems in one name are no single code.
    guard !name.contains(","),
      let place = parts.lastIndex(where: { registers[$0.lowercased()] != nil }),
      let authority = registers[parts[place].lowercased()]
    else { return nil }
    let rest = parts[(place + 1)...]
    // `urn:ogc:def:crs:EPSG:9.1:3857` and `…/def/crs/EPSG/0/3857` have a version in between.
    let isVersioned = parts.contains { $0.lowercased() == "def" }
    guard let code = isVersioned ? rest.last : rest.first else { return nil }
    if authority == "CRS" {
      // `CRS:84` of map servers.
      return place == 0 ? CoordinateSystem(authority: "OGC", code: "CRS" + code) : nil
    }
    return CoordinateSystem(authority: authority, code: code)
  }

  private static let registers = [
    "epsg": "EPSG", "epsg.xml": "EPSG", "ogc": "OGC", "esri": "ESRI", "crs": "CRS",
    "iau": "IAU", "iau_2015": "IAU_2015", "ignf": "IGNF",
  ]

  /// The code as a number of the EPSG register; of a compound one the horizontal part.
  private var epsgCode: Int? {
    guard authority.uppercased() == "EPSG" else { return nil }
    return code.split(separator: "+").first.flatMap { Int($0) }
  }

  /// Whether it is longitude and latitude in degrees on WGS 84, the only system of RFC 7946.
  package var isWGS84: Bool {
    switch authority.uppercased() {
    case "OGC": ["CRS84", "CRS84H", "84"].contains(code.uppercased())
    case "EPSG": code == "4326" || code == "4979"
    case "": Self.plainNamesOfWGS84.contains(plainName)
    default: false
    }
  }

  /// Whether x is a longitude and y a latitude in degrees, on any datum.
  ///
  /// - Complexity: O(1).
  package var isDegrees: Bool {
    if isWGS84 { return true }
    switch authority.uppercased() {
    case "OGC": return ["CRS83", "CRS27", "83", "27"].contains(code.uppercased())
    case "EPSG": return epsgCode.map(EPSGDegrees.contains) ?? false
    case "": return Self.plainNamesOfDegrees.contains(plainName)
    default: return false
    }
  }

  /// The unit of its coordinates: `degrees`, `metres` where that is known, else `units`.
  package var units: String {
    if isDegrees { return "degrees" }
    guard let code = epsgCode else { return "units" }
    // Web Mercator, and Universal Transverse Mercator on WGS 84, ETRS89 and NAD83.
    let metric: [ClosedRange<Int>] = [
      3857...3857, 900_913...900_913, 32_601...32_660, 32_701...32_760, 25_828...25_838,
      26_901...26_923, 3035...3035,
    ]
    return metric.contains { $0.contains(code) } ? "metres" : "units"
  }

  /// Whether its coordinates are metres on the ground, which those of Web Mercator are not.
  package var isMetric: Bool {
    units == "metres" && epsgCode != 3857 && epsgCode != 900_913
  }

  /// The notice to users about data in this system; `nil` for longitude and latitude on WGS 84.
  package var notice: String? {
    if isWGS84 { return nil }
    if isDegrees {
      return "longitude and latitude are of \(name), not of WGS 84; kept, not converted"
    }
    if self == .planar {
      return "coordinates are planar x and y of no named system; kept, not converted"
    }
    return "coordinates are planar x and y of \(name); kept, not converted"
  }

  /// Letters and digits of the name in lower case.
  private var plainName: String { code.lowercased().filter { $0.isLetter || $0.isNumber } }

  private static let plainNamesOfWGS84: Set<String> = [
    "crs84", "wgs84", "wgs1984", "gcswgs1984", "worldgeodeticsystem1984",
  ]
  private static let plainNamesOfDegrees: Set<String> = [
    "nad83", "nad27", "etrs89", "gda94", "gda2020", "gcsnorthamerican1983", "gcsnorthamerican1927",
    "gcsetrs1989",
  ]
}

extension DocumentMetadata {
  /// Whether the coordinates are known to be metres on the ground.
  package var isMetric: Bool { !isGeographic && coordinateSystem.isMetric }

  /// Whether the coordinates are longitude and latitude; others are planar.
  ///
  /// The units tell; a system known not to be in degrees overrides them.
  package var isGeographic: Bool {
    if coordinateSystem == .crs84 { return units == "degrees" }
    if coordinateSystem.isDegrees { return units == "degrees" }
    let isKnown = ["EPSG", "ESRI", "OGC"].contains(coordinateSystem.authority.uppercased())
    return units == "degrees" && !isKnown && coordinateSystem != .planar
  }

  /// The system for exports: of an unregistered one only whether it is in degrees.
  package var systemOfExports: CoordinateSystem {
    if isGeographic { return coordinateSystem.isDegrees ? coordinateSystem : .crs84 }
    return coordinateSystem.isDegrees ? .planar : coordinateSystem
  }

  /// Takes over a system and its unit.
  package mutating func take(_ system: CoordinateSystem) {
    coordinateSystem = system
    units = system.units
  }
}
