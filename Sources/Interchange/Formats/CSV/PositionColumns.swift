/// Which columns of a table hold its positions.
enum PositionColumns: Hashable {
  case pair(x: Int, y: Int)
  case text(Int)

  private static let xNames = [
    "lon", "longitude", "lng", "long", "x", "decimallongitude", "lon_dd", "longitude_deg", "xcoord",
    "x_coord", "coord_x", "easting",
  ]
  private static let yNames = [
    "lat", "latitude", "y", "decimallatitude", "lat_dd", "latitude_deg", "ycoord", "y_coord",
    "coord_y", "northing",
  ]
  private static let textNames = ["wkt", "the_geom", "geom", "geometry", "wkt_geom", "shape"]

  /// The columns that the options name, or those whose names tell; `nil` if there are none.
  init?(_ names: [String], options: ImportOptions) {
    func index(_ wanted: [String]) -> Int? {
      for name in wanted {
        if let index = names.firstIndex(where: { $0.lowercased() == name.lowercased() }) {
          return index
        }
      }
      return nil
    }
    if let x = index(options.xColumn.map { [$0] } ?? Self.xNames),
      let y = index(options.yColumn.map { [$0] } ?? Self.yNames), x != y
    {
      self = .pair(x: x, y: y)
    } else if options.xColumn == nil, options.yColumn == nil, let column = index(Self.textNames) {
      self = .text(column)
    } else {
      return nil
    }
  }

  func contains(_ column: Int) -> Bool {
    switch self {
    case .pair(let x, let y): column == x || column == y
    case .text(let text): column == text
    }
  }
}
