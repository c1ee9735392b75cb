import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanPrinting

/// The description in words: a sentence or two a line, without signs that a screen reader spells.
extension DocumentDescription {
  /// More attributes, layers or countries are counted, and not described each.
  private static let (columnsMax, layersMax, countriesMax) = (20, 40, 12)
  /// So many countries are named of more.
  private static let countriesNamed = 5
  /// A wider map goes nearly all around the earth, in degrees.
  private static let widthMax = 330.0

  package var sentences: [String] {
    var lines = [opening]
    if !metadata.title.isEmpty, metadata.title != InputName.stem(of: file) {
      lines.append("Its title is “\(metadata.title)”.")
    }
    if !metadata.author.isEmpty { lines.append("Its author is \(metadata.author).") }
    if !metadata.licence.isEmpty { lines.append("Its licence is \(metadata.licence).") }
    lines.append(system)
    if !extent.isEmpty { lines.append(reach) }
    if let census, census.sampled > 0 { lines.append(Self.sentence(census)) }
    for layer in layers.prefix(Self.layersMax) { lines += Self.sentences(layer) }
    if layers.count > Self.layersMax {
      let more = layers.count - Self.layersMax
      lines.append("There \(more == 1 ? "is" : "are") \(Self.count(more, "more layer")).")
    }
    return lines + oddities.map { "Note: \($0)." }
  }

  private var opening: String {
    let name = file.isEmpty ? "The map" : file == "-" ? "Standard input" : FilePath.shown(file)
    let real = layers.filter { !$0.isGroup }
    let features = real.reduce(0) { $0 + $1.features }
    if real.isEmpty { return "\(name) is an empty map." }
    if features == 0 {
      return "\(name) has \(Self.count(real.count, "layer")) and no features."
    }
    return "\(name) has \(Self.count(features, "feature")) in \(Self.count(real.count, "layer"))."
  }

  private var system: String {
    let system = metadata.coordinateSystem
    if metadata.isGeographic {
      let name = system.isWGS84 ? "WGS 84" : system.name
      return "Its coordinates are longitudes and latitudes in degrees, \(name)."
    }
    return system == .planar
      ? "Its coordinates are of a plane, in no stated system."
      : "Its coordinates are of \(system.name), in \(metadata.units)."
  }

  // MARK: Where

  private var reach: String {
    if extent.minX == extent.maxX, extent.minY == extent.maxY {
      return "All of it is at one place, \(place(extent.center))."
    }
    return metadata.isGeographic ? reachOnEarth : reachOnPlane
  }

  private var reachOnPlane: String {
    let numbers = [extent.minX, extent.maxX, extent.minY, extent.maxY]
      .map { Figures.short($0, decimals: 3) }
    let size = [extent.width, extent.height].map { Figures.short($0, decimals: 3) }
    let words =
      "It reaches from \(numbers[0]) to \(numbers[1]) in x and from \(numbers[2]) to "
      + "\(numbers[3]) in y, \(size[0]) by \(size[1]) \(metadata.units)."
    return middle.map { words + " Its middle is near \(place($0))." } ?? words
  }

  private var reachOnEarth: String {
    let decimals = Self.decimals(max(longitudes?.width ?? 360, extent.height))
    let south = Self.latitude(extent.minY, decimals)
    let north = Self.latitude(extent.maxY, decimals)
    let latitudes = "from \(south) to \(north)"
    let height = Self.distance(
      Geodesy.distance(
        from: Coordinate(x: 0, y: max(extent.minY, -90)),
        to: Coordinate(x: 0, y: min(extent.maxY, 90))))
    guard let longitudes else {
      return
        "It goes all around the earth, and reaches \(latitudes), \(height) from south to north."
    }
    let west = Self.longitude(longitudes.west, decimals)
    let east = Self.longitude(longitudes.east, decimals)
    let across = longitudes.west > longitudes.east ? " across 180 degrees" : ""
    // Along a parallel: the shortest way between two ends of a wide map goes by a pole.
    let middle = min(max((extent.minY + extent.maxY) / 2, -90), 90) * .pi / 180
    let metres = 111_319.49 * longitudes.width * Mathematics.cosine(middle)
    return "It reaches from \(west)\(across) to \(east) and \(latitudes), "
      + "\(Self.distance(metres)) from west to east and \(height) from south to north."
  }

  private func place(_ place: Coordinate) -> String {
    guard metadata.isGeographic || middle != nil else {
      return "x \(Figures.short(place.x, decimals: 3)), y \(Figures.short(place.y, decimals: 3))"
    }
    return Self.latitude(place.y, 4) + " and " + Self.longitude(place.x, 4)
  }

  private static func decimals(_ degrees: Double) -> Int {
    degrees >= 5 ? 1 : degrees >= 0.05 ? 3 : 6
  }

  private static func latitude(_ y: Double, _ decimals: Int) -> String {
    degrees(y, decimals, y < 0 ? "south" : "north")
  }

  private static func longitude(_ x: Double, _ decimals: Int) -> String {
    degrees(x, decimals, x < 0 ? "west" : "east")
  }

  private static func degrees(_ value: Double, _ decimals: Int, _ direction: String) -> String {
    let number = Figures.short(value.magnitude, decimals: decimals)
    if number == "0" { return "0 degrees" }
    return "\(number) \(number == "1" ? "degree" : "degrees") \(direction)"
  }

  private static func distance(_ metres: Double) -> String {
    if metres < 1 { return "less than a metre" }
    if metres < 10_000 { return "about \(Figures.grouped(Int(metres.rounded()))) metres" }
    let kilometres = metres / 1000
    let unit = kilometres < 100 ? 1.0 : 10.0
    let rounded = (kilometres / unit).rounded() * unit
    return "about \(Figures.grouped(Int(exactly: rounded) ?? 0)) kilometres"
  }

  private static func sentence(_ census: CountryCensus) -> String {
    func share(_ count: Int) -> String {
      if !census.isSample { return Figures.grouped(count) }
      let percent = Double(count) / Double(census.sampled) * 100
      return percent < 1 ? "less than 1 percent" : "\(Int(percent.rounded())) percent"
    }
    let map = "On a map of the world at 1 to 110 million"
    let whose =
      census.isSample ? "a sample of \(Figures.grouped(census.sampled)) features" : "the features"
    let elsewhere = "at sea, or on land too small for that map"
    guard let first = census.countries.first else { return "\(map), \(whose) are \(elsewhere)." }
    let count = census.countries.count
    let isLong = count > countriesMax
    let named = census.countries.prefix(isLong ? countriesNamed : count)
    var words = "\(map), \(whose) are in "
    if count == 1 {
      words += census.elsewhere == 0 ? first.name : "\(first.name), \(share(first.count))"
    } else {
      let parts = named.map { "\(share($0.count)) in \($0.name)" }
      words += "\(Figures.grouped(count)) countries, \(list(parts))\(isLong ? " among them" : "")"
    }
    if census.elsewhere > 0 { words += "; \(share(census.elsewhere)) \(elsewhere)" }
    return words + "."
  }

  // MARK: Layers

  private static func sentences(_ layer: LayerFacts) -> [String] {
    let title = layer.title.isEmpty ? "" : ", titled “\(layer.title)”,"
    if layer.isGroup { return ["There is a group of layers, “\(layer.name)”\(title)."] }
    var first = "Layer “\(layer.name)”\(title) has "
    if layer.features == 0 {
      first += "no features"
    } else {
      first += kinds(layer)
      if layer.vertices > layer.features {
        first += ", with \(count(layer.vertices, "vertex", "vertices")) in all"
      }
    }
    if !layer.isVisible { first += "; it is hidden" }
    if layer.isLocked { first += "; it is locked" }
    var lines = [first + "."]
    if layer.features == 0 { return lines }
    if layer.columns.isEmpty { return lines + ["It has no attributes."] }
    lines.append("It has \(count(layer.columns.count, "attribute")).")
    lines += layer.columns.prefix(columnsMax).map(sentence)
    let rest = layer.columns.dropFirst(columnsMax)
    if !rest.isEmpty {
      let named = rest.prefix(3 * columnsMax).map { ColumnStatistics.short($0.name) }
      let more = rest.count - named.count
      let others = more > 0 ? ["\(Figures.grouped(more)) more"] : []
      lines.append("The other attributes are \(list(named + others)).")
    }
    return lines
  }

  private static func kinds(_ layer: LayerFacts) -> String {
    let words = layer.kinds.map { kind, number in
      switch kind {
      case .none: count(number, "feature without a place", "features without a place")
      case .point: count(number, "point")
      case .multiPoint: count(number, "group of points", "groups of points")
      case .lineString: count(number, "line")
      case .multiLineString: count(number, "line of several parts", "lines of several parts")
      case .polygon: count(number, "area")
      case .multiPolygon: count(number, "area of several parts", "areas of several parts")
      case .geometryCollection: count(number, "collection")
      }
    }
    return list(words)
  }

  private static func sentence(_ column: ColumnStatistics) -> String {
    let name = "“\(ColumnStatistics.short(column.name))”"
    let lacking = column.nulls + column.missing
    if column.values == 0 { return "\(name) has no values." }
    let types = [
      "whole": "whole numbers", "real": "numbers", "text": "text", "date": "dates",
      "truth": "true and false", "json": "lists or objects", "mixed": "values of several types",
    ]
    var words = "\(name) holds \(types[column.type] ?? column.type)"
    let distinct = column.distinct.value
    if distinct == column.values, column.values > 1, !column.distinct.isEstimate {
      words += ", all different"
    } else if column.type != "truth" {
      words += ", \(column.distinct.words) different \(distinct == 1 ? "value" : "values")"
    }
    if let least = column.least, let greatest = column.greatest {
      let (least, greatest) = (shown(least), shown(greatest))
      words += least == greatest ? ", \(least)" : ", from \(least) to \(greatest)"
    }
    if lacking > 0 {
      words += "; \(count(lacking, "feature has", "features have")) no value"
    }
    return words + "."
  }

  private static func shown(_ value: String) -> String {
    value.isEmpty ? "an empty text" : ColumnStatistics.short(value)
  }

  // MARK: Oddities

  /// What is unusual, each in a few words.
  var oddities: [String] {
    var found: [String] = []
    for layer in layers where !layer.isGroup {
      let name = "in layer “\(layer.name)”"
      if layer.features == 0 { found.append("layer “\(layer.name)” is empty") }
      let unplaced = layer.kinds.first { $0.kind == .none }?.count ?? 0
      if unplaced > 0 {
        found.append("\(Self.count(unplaced, "feature has", "features have")) no place \(name)")
      }
      if layer.atZero > 0 {
        found.append(
          "\(Self.count(layer.atZero, "feature lies", "features lie")) at longitude 0 and "
            + "latitude 0 \(name), where programs put what they could not place")
      }
      for column in layer.columns where column.type == "mixed" {
        found.append(
          "“\(ColumnStatistics.short(column.name))” has values of several types \(name)")
      }
      let empty = layer.columns.filter { $0.values == 0 }
      if !empty.isEmpty {
        let names = empty.prefix(5).map { "“\(ColumnStatistics.short($0.name))”" }
        let more = empty.count > 5 ? ["\(empty.count - 5) more"] : []
        found.append("no feature has a value of \(Self.list(names + more)) \(name)")
      }
    }
    if metadata.isGeographic, !extent.isEmpty,
      extent.minX < -360 || extent.maxX > 360 || extent.minY < -90 || extent.maxY > 90
    {
      found.append("some coordinates are no longitudes and latitudes")
    }
    if conflicts > 0 {
      found.append(
        "\(Self.count(conflicts, "conflict of a merge is", "conflicts of a merge are")) undecided")
    }
    return found + notices
  }

  // MARK: Words

  private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(Figures.grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// `a`, `a and b`, `a, b and c`.
  private static func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
