package import PortolanDocuments

/// The position columns of a table.
enum PositionColumns: Hashable {
  case pair(x: Int, y: Int)
  case text(Int)
  case point(Int)
  /// A table of attributes alone.
  case nowhere

  /// The meaning of the numbers by the names of their columns.
  enum Claim {
    case degrees, planar, nothing
  }

  private static let openNames: Set<String> = [
    "x", "y", "xcoord", "ycoord", "x_coord", "y_coord",
    "coord_x", "coord_y",
  ]

  /// The names that belong together, likeliest first.
  private static let pairs: [(x: String, y: String)] = [
    ("lon", "lat"), ("longitude", "latitude"), ("lng", "lat"), ("long", "lat"), ("x", "y"),
    ("decimallongitude", "decimallatitude"), ("lon_dd", "lat_dd"),
    ("longitude_deg", "latitude_deg"), ("xcoord", "ycoord"), ("x_coord", "y_coord"),
    ("coord_x", "coord_y"), ("easting", "northing"), ("longitud", "latitud"),
    ("longitudine", "latitudine"), ("längengrad", "breitengrad"), ("laengengrad", "breitengrad"),
  ]

  /// Names of positions, likeliest first.
  private static let xNames = pairs.map(\.x)
  private static let yNames = pairs.map(\.y)
  private static let textNames = [
    "wkt", "the_geom", "geom", "geometry", "wkt_geom", "shape", "geojson", "geo_shape", "wkb",
    "wkb_geometry",
  ]

  /// The last words of names of longitudes, such as `stop_lon`, and of latitudes.
  private static let longitudes: Set<Substring> = ["lon", "lng", "long", "longitude"]
  private static let latitudes: Set<Substring> = ["lat", "latitude"]

  /// The columns whose names end so and begin alike; `nil` unless there is a single pair.
  private static func pairOfLongNames(_ names: [String]) -> PositionColumns? {
    let heads = names.map { longName($0, longitudes) }
    let others = names.map { longName($0, latitudes) }
    let pairs = names.indices.compactMap { x -> (x: Int, y: Int)? in
      guard let head = heads[x], let y = others.firstIndex(of: head) else { return nil }
      return (x, y)
    }
    guard pairs.count == 1, heads.count(where: { $0 != nil }) == 1 else { return nil }
    return .pair(x: pairs[0].x, y: pairs[0].y)
  }

  /// The part of a name before its last word, if that is one of `words`.
  private static func longName(_ name: String, _ words: Set<Substring>) -> Substring? {
    let name = trimmed(name.lowercased())
    guard let mark = name.lastIndex(where: { "_ -.:".contains($0) }), mark != name.startIndex,
      words.contains(name[name.index(after: mark)...])
    else { return nil }
    return name[..<mark]
  }

  /// The columns named by the options, or found by their names; `nil` if there are none.
  init?(_ names: [String], options: ImportOptions) {
    let (places, named) = (Self.places(names), options.table)
    if !named.hasPositions {
      self = .nowhere
      return
    }
    func index(_ wanted: [String]) -> Int? {
      wanted.lazy.compactMap { places[Self.trimmed($0.lowercased())] }.first
    }
    if let text = named.textColumn {
      guard let column = index([text]) else { return nil }
      self = .text(column)
    } else if let point = named.pointColumn {
      guard let column = index([point]) else { return nil }
      self = .point(column)
    } else if let (x, y) = Self.pair(places, named) {
      self = .pair(x: x, y: y)
    } else if named.xColumn == nil, named.yColumn == nil, let column = index(Self.textNames) {
      self = .text(column)
    } else if named.xColumn == nil, named.yColumn == nil, let pair = Self.pairOfLongNames(names) {
      self = pair
    } else {
      return nil
    }
  }

  /// The columns of x and y: of names that belong together if there are such, else the likeliest
  /// of each.
  private static func pair(
    _ places: [String: Int], _ named: TableOptions
  ) -> (x: Int, y: Int)? {
    let (x, y) = (named.xColumn, named.yColumn)
    func isMeant(_ pair: (x: String, y: String)) -> Bool {
      x.map { trimmed($0.lowercased()) == pair.x } ?? true
        && y.map { trimmed($0.lowercased()) == pair.y } ?? true
    }
    for pair in pairs where isMeant(pair) {
      if let x = places[pair.x], let y = places[pair.y] { return (x, y) }
    }
    func index(_ names: [String]) -> Int? {
      names.lazy.compactMap { places[trimmed($0.lowercased())] }.first
    }
    guard let x = index(x.map { [$0] } ?? xNames), let y = index(y.map { [$0] } ?? yNames), x != y
    else { return nil }
    return (x, y)
  }

  /// The names that could have been those of x or y instead of the ones that were found.
  static func rivals(of x: Int, _ y: Int, in names: [String]) -> [String] {
    names.indices.filter { place in
      let name = trimmed(names[place].lowercased())
      return place != x && place != y && (xNames.contains(name) || yNames.contains(name))
    }.map { names[$0] }
  }

  /// The place of a column by its name, whatever its capitals and the blanks around it.
  static func place(of name: String, in names: [String]) -> Int? {
    places(names)[trimmed(name.lowercased())]
  }

  private static func places(_ names: [String]) -> [String: Int] {
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() {
      let name = trimmed(name.lowercased())
      if places[name] == nil { places[name] = place }
    }
    return places
  }

  private static func trimmed(_ name: String) -> String {
    let end = name.utf8.lastIndex { $0 > 0x20 }.map { name.utf8.index(after: $0) }
    return String(name[..<(end ?? name.startIndex)].drop { $0 <= " " })
  }

  /// The meaning by names: `lon` is a longitude, `easting` is none, `x` and well-known text may be
  /// both.
  static func claim(x: String, y: String) -> Claim {
    let names = [x, y].map { trimmed($0.lowercased()) }
    if names.contains("easting") || names.contains("northing") { return .planar }
    if longName(x, longitudes) != nil, longName(y, latitudes) != nil { return .degrees }
    let areKnown = xNames.contains(names[0]) && yNames.contains(names[1])
    return areKnown && !names.contains(where: openNames.contains) ? .degrees : .nothing
  }

  func contains(_ column: Int) -> Bool {
    switch self {
    case .pair(let x, let y): column == x || column == y
    case .nowhere: false
    case .text(let place), .point(let place): column == place
    }
  }
}

extension TableOptions {
  /// The names of the columns of attributes of the table that a layer was read from.
  package static func headings(of layer: any FeatureHolding) -> [String] {
    guard let layout = TableLayout(words: layer.source.whitespace) else { return [] }
    let positions = Set(layout.positions.map(\.place))
    return layout.columns.indices.filter { !positions.contains($0) }.map { layout.columns[$0] }
  }

  /// The columns of a table that would be positions by their names.
  package static func positionNames(among names: [String]) -> [String] {
    guard let columns = PositionColumns(names, options: ImportOptions(name: "")) else { return [] }
    return names.indices.filter(columns.contains).map { names[$0] }
  }
}
