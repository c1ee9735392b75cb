/// The findings of Shapefiles in words.
extension ImportNoteCode {
  /// Whether it tells of something that is lost, or may be read wrongly.
  var isLossOfShapes: Bool {
    switch self {
    case .cutShapes, .surplusRows, .brokenShapes, .multipatches, .measures, .arcs, .coarseArcs,
      .shortParts,
      .noTable, .cutRows, .oddColumns, .lostNumbers, .oddTexts, .oddEncoding, .assumedWindows,
      .otherDatum:
      true
    default: false
    }
  }

  func textOfShapes(_ count: Int) -> String {
    func many(_ one: String, _ more: String) -> String { Self.many(count, one, more) }
    return switch self {
    case .cutShapes: "the .shp ends within a shape; those before it are read"
    case .oddIndex: "the .shx does not fit the .shp; the shapes are read in their order"
    case .brokenShapes: many("shape is", "shapes are") + " broken; kept without a position"
    case .multipatches:
      many("MultiPatch", "MultiPatches") + " became areas, a triangle each of strips and fans"
    case .measures: many("feature has", "features have") + " measures (M), which are left out"
    case .arcs:
      many("feature has", "features have") + " arcs, which became lines of steps of 4 degrees"
    case .coarseArcs:
      many("feature has", "features have")
        + " arcs of steps of up to 45 degrees, since the file has so many"
    case .shortParts:
      many("feature has", "features have") + " parts of too few vertices, which are left out"
    case .noTable: "no .dbf lies beside it: the features have no attributes"
    case .cutRows: many("row is", "rows are") + " missing at the end of the .dbf"
    case .oddColumns:
      many("column is", "columns are") + " of a kind that is not read (memos, binary); left out"
    case .deletedRows:
      many("row is", "rows are") + " marked as deleted in the .dbf; left out with the shapes"
    case .surplusRows: many("row has", "rows have") + " no shape; kept without a position"
    case .missingRows:
      many("shape has", "shapes have") + " no row in the .dbf; kept without attributes"
    case .lostNumbers:
      many("number is", "numbers are")
        + " unreadable in the .dbf; null"
    case .starNumbers:
      many("number is", "numbers are")
        + " stars in the .dbf, which mean null or too wide for the column; null"
    case .oddTexts:
      many("text is", "texts are") + " not of the stated encoding; read as ISO 8859-1"
    case .oddEncoding: "the .cpg or --encoding names an encoding that is not known here"
    case .assumedUTF8: "no known encoding is stated; texts are read as UTF-8"
    case .assumedWindows: "no known encoding is stated; texts are read as Windows-1252"
    case .noProjection: "no .prj lies beside it; x and y are read as longitude and latitude"
    case .otherDatum:
      "longitude and latitude of an unknown datum are read as of WGS 84, not converted"
    default: rawValue
    }
  }
}
