import PortolanDocuments
import PortolanProjections

/// The coordinate system that a .prj names, in well-known text.
enum ProjectionText {
  /// The system; `nil` if the text names none.
  static func system(
    _ text: String, _ notes: inout [ImportNoteCode: Int]
  ) -> CoordinateSystem? {
    let quoted = text.split(separator: "\"", omittingEmptySubsequences: false)
    guard quoted.count > 2 else { return nil }
    let word = quoted[0].filter(\.isLetter).uppercased()
    let name = String(quoted[1])
    guard ["GEOGCS", "PROJCS", "GEOGCRS", "PROJCRS", "COMPDCS"].contains(word) else { return nil }
    if let code = code(text) { return CoordinateSystem(named: "EPSG:" + code) }
    if word.hasPrefix("GEOG") {
      // Grads, or longitudes from Paris, are no degrees east of Greenwich.
      return isOfDegrees(text)
        ? degrees(name, &notes)
        : identified(text) ?? CoordinateSystem(authority: "", code: name)
    }
    return projected(name) ?? identified(text) ?? CoordinateSystem(named: name)
  }

  /// Whether the unit of a geographic system is the degree, and its meridian that of Greenwich.
  private static func isOfDegrees(_ text: String) -> Bool {
    func number(after word: String) -> Double? {
      guard let place = text.ranges(of: word).last else { return nil }
      let rest = text[place.upperBound...].drop { $0 != "," }.dropFirst()
      return Double(rest.prefix { !",]".contains($0) }.filter { !$0.isWhitespace })
    }
    let meridian = number(after: "PRIMEM[") ?? 0
    let unit = number(after: "ANGLEUNIT[") ?? number(after: "UNIT[")
    // A radian has 57.3 degrees; programs write the size of one with 10 to 18 digits.
    let isDegree = unit.map { ($0 - .pi / 180).magnitude < 1e-9 } ?? true
    return meridian.magnitude < 1e-6 && isDegree
  }

  /// The system of EPSG that PROJ, if it is installed, finds to be the same.
  private static func identified(_ text: String) -> CoordinateSystem? {
    guard text.utf8.count < 1 << 16 else { return nil }
    return Proj()?.code(ofText: text).map { CoordinateSystem(named: "EPSG:" + $0) }
  }

  /// The code that stands at the end of the text, for all of it.
  private static func code(_ text: String) -> String? {
    let words = text.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    guard words.count > 2, let code = words.last, UInt32(code) != nil,
      words[words.count - 2].uppercased() == "EPSG",
      ["AUTHORITY", "ID"].contains(words[words.count - 3].uppercased())
    else { return nil }
    return code
  }

  private static func degrees(
    _ name: String, _ notes: inout [ImportNoteCode: Int]
  ) -> CoordinateSystem {
    let plain = name.uppercased().replacing("GCS_", with: "").filter { $0.isLetter || $0.isNumber }
    if plain == "WGS1984" || plain == "WGS84" { return .crs84 }
    if let code = datums[plain] { return CoordinateSystem(named: "EPSG:\(code)") }
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
