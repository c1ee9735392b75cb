import PortolanDocuments
import PortolanProjections

/// The coordinate system that well-known text names: a .prj, a definition in a GeoPackage, what
/// ogrinfo tells.
enum ProjectionText {
  /// The system; `nil` if the text names none.
  static func system(
    _ text: String, _ notes: inout [ImportNoteCode: Int]
  ) -> CoordinateSystem? {
    guard let tree = SystemText(text) else { return nil }
    // The number of a compound system does not tell whether its places are degrees.
    let node = tree.horizontal
    if let name = tree.registeredName(node) ?? tree.registeredName(0) {
      return CoordinateSystem(named: name)
    }
    let (word, name) = (tree.nodes[node].word, tree.name(node))
    guard !name.isEmpty else { return nil }
    if SystemText.geographic.contains(word) {
      // Grads, or longitudes from Paris, are no degrees east of Greenwich.
      guard tree.isOfDegrees(node) else {
        return identified(text) ?? CoordinateSystem(authority: "", code: name)
      }
      let datum = tree.children(of: node, ["DATUM", "ENSEMBLE", "GEODETICDATUM", "TRF"]).first
      return degrees(name, datum: datum.map(tree.name) ?? "", text, &notes)
    }
    if SystemText.projected.contains(word) {
      return projected(name) ?? identified(text) ?? CoordinateSystem(named: name)
    }
    // A local system has no place on the earth, whatever its numbers.
    return SystemText.local.contains(word) ? CoordinateSystem(authority: "", code: name) : nil
  }

  /// The system of EPSG that PROJ, if it is installed, finds to be the same.
  private static func identified(_ text: String) -> CoordinateSystem? {
    guard text.utf8.count < 1 << 16 else { return nil }
    return Proj()?.code(ofText: text).map { CoordinateSystem(named: "EPSG:" + $0) }
  }

  /// The system of longitudes and latitudes by its name, else that of its datum.
  private static func degrees(
    _ name: String, datum: String, _ text: String, _ notes: inout [ImportNoteCode: Int]
  ) -> CoordinateSystem {
    for name in [name, datum] {
      var plain = name.uppercased()
      for start in ["GCS_", "D_"] where plain.hasPrefix(start) { plain.removeFirst(start.count) }
      plain = plain.filter { $0.isLetter || $0.isNumber }
      if plain.hasSuffix("3D") { plain.removeLast(2) }
      if plain == "WGS1984" || plain == "WGS84" || plain.hasPrefix("WORLDGEODETICSYSTEM1984") {
        return .crs84
      }
      if let code = datums[plain] { return CoordinateSystem(named: "EPSG:\(code)") }
    }
    if let known = identified(text), known.isDegrees { return known }
    notes[.otherDatum] = 1
    return .crs84
  }

  /// Systems of longitude and latitude by their names, letters and digits alone.
  private static let datums = [
    "NORTHAMERICAN1983": 4269, "NAD83": 4269, "NORTHAMERICAN1927": 4267, "NAD27": 4267,
    "ETRS1989": 4258, "ETRS89": 4258, "GDA1994": 4283, "GDA94": 4283, "GDA2020": 7844,
    "RT1990": 4124, "NZGD2000": 4167, "JGD2000": 4612, "JGD2011": 6668, "PULKOVO1942": 4284,
    "OSGB1936": 4277, "EUROPEAN1950": 4230, "XIAN1980": 4610, "BEIJING1954": 4214,
    "CHINAGEODETICCOORDINATESYSTEM2000": 4490, "SIRGAS2000": 4674, "SOUTHAMERICAN1969": 4618,
    "TOKYO": 4301, "RGF1993": 4171, "DEUTSCHESHAUPTDREIECKSNETZ": 4314, "CH1903": 4149,
  ]

  /// The common systems of metres by their names.
  private static func projected(_ name: String) -> CoordinateSystem? {
    let words = name.uppercased().split { $0 == "_" || $0 == " " || $0 == "/" }.map(String.init)
    if words.joined(separator: "_") == "WGS_1984_WEB_MERCATOR_AUXILIARY_SPHERE" {
      return CoordinateSystem(named: "EPSG:3857")
    }
    guard let zone = words.last, let place = words.firstIndex(of: "UTM"), words.count > 2,
      words[words.count - 2] == "ZONE", let number = Int(zone.dropLast()), (1...60).contains(number)
    else { return nil }
    let isSouth = zone.last == "S"
    guard isSouth || zone.last == "N" else { return nil }
    switch words[..<place].joined() {
    case "WGS1984", "WGS84":
      return CoordinateSystem(named: "EPSG:\((isSouth ? 32_700 : 32_600) + number)")
    case "ETRS1989",
      "ETRS89" where !isSouth && (28...38).contains(number):
      return CoordinateSystem(named: "EPSG:\(25_800 + number)")
    case "NAD1983",
      "NAD83" where !isSouth && (1...23).contains(number):
      return CoordinateSystem(named: "EPSG:\(26_900 + number)")
    default: return nil
    }
  }
}
