import Testing

/// Projected data through the built program: as a GIS engineer hands it over.
@Suite struct CoordinateSystemProgramTests {
  /// What `ogr2ogr -t_srs EPSG:3857` writes.
  static let metres = """
    {
    "type": "FeatureCollection",
    "name": "towns",
    "crs": { "type": "name", "properties": { "name": "urn:ogc:def:crs:EPSG::3857" } },
    "features": [
    { "type": "Feature", "properties": { "n": 1 }, "geometry": { "type": "Point", \
    "coordinates": [ 1386305.033450045157224, 5146502.249810006469488 ] } }
    ]
    }

    """

  @Test func `Projected data stays planar through documents and exports`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(Self.metres, to: "m.geojson")
    #expect(try program.run(["import", "m.geojson", "-o", "m.doc"]).status == 0)
    for file in ["m.geojson", "m.doc"] {
      let info = try program.run(["info", file]).output
      #expect(info.contains("units     metres, EPSG:3857\n"), "\(info)")
      #expect(try program.run(["info", "--json", file]).output.contains(#""EPSG:3857""#))
      #expect(try program.run(["export", file]).output == Self.metres)
      let table = try program.run(["export", "--format", "csv", file])
      #expect(table.output.hasPrefix("x,y,n\r\n1386305.03"), "\(table.output)")
      #expect(table.errors.contains("cannot state that its coordinates are of EPSG:3857"))
      let degrees = try program.run(["export", "--rfc7946", file, "-o", "out.geojson"])
      #expect(degrees.status == 5 && degrees.output.isEmpty)
      #expect(degrees.errors.contains("EPSG:3857") && degrees.errors.contains("--crs EPSG:4326"))
      #expect(try program.run(["render", file]).status == 0)
    }
    #expect(program.files == ["m.doc", "m.geojson"])
    // Edited, and drawn beside it.
    try program.write(
      """
      open m.doc
      draw point --layer towns
      put 5 6
      w
      """, to: "edit")
    #expect(try program.run(["run", "edit"]).status == 0)
    let edited = try program.run(["export", "m.doc"]).output
    #expect(edited.contains("EPSG::3857") && edited.contains("[ 5"), "\(edited)")
  }

  @Test func `Metres beside degrees are converted, and told`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(Self.metres, to: "m.geojson")
    try program.write(FilterTests.points, to: "p.geojson")
    for (files, system) in [
      (["m.geojson", "p.geojson"], "EPSG:3857"), (["p.geojson", "m.geojson"], "OGC:CRS84"),
    ] {
      let result = try program.run(["import"] + files + ["-o", "both.doc", "--force"])
      #expect(result.status == 0 && result.errors.contains("into \(system)"), "\(result.errors)")
      #expect(try program.run(["info", "both.doc"]).output.contains(system))
    }
    let back = try program.run(["export", "m.geojson", "--crs", "EPSG:4326", "--rfc7946"])
    #expect(back.status == 0 && !back.output.contains("crs"), "\(back.errors)")
  }

  @Test func `Degrees and an unknown system do not come together`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(Self.metres.replacing("EPSG::3857", with: "nowhere"), to: "m.geojson")
    try program.write(FilterTests.points, to: "p.geojson")
    for files in [["m.geojson", "p.geojson"], ["p.geojson", "m.geojson"]] {
      let result = try program.run(["import"] + files + ["-o", "both.doc"])
      #expect(result.status == 5, "\(result.errors)")
    }
    #expect(program.files == ["m.geojson", "p.geojson"])
  }

  @Test func `A table of eastings and northings keeps its names`() throws {
    let program = try Program()
    defer { program.remove() }
    let table = "easting,northing,n\n500000,5700000,a\n500100,5700100,b\n"
    try program.write(table, to: "t.csv")
    #expect(try program.run(["import", "t.csv", "-o", "t.doc"]).status == 0)
    let info = try program.run(["info", "t.doc"]).output
    #expect(info.contains("units     units, planar\n"), "\(info)")
    #expect(try program.run(["export", "t.doc", "--format", "csv"]).output == table)
    let json = try program.run(["export", "t.doc", "-o", "t.geojson"])
    #expect(json.status == 0)
    #expect(try program.run(["info", "t.geojson"]).output.contains("units, planar\n"))
    #expect(try program.run(["export", "t.doc", "--rfc7946"]).status == 5)
  }
}
