import Foundation
import Testing

/// Documents of older and newer versions of the format.
@Suite struct MigrateTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/documents")

  private func with(
    _ fixture: String, _ body: (Program, _ bytes: Data) throws -> Void
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let bytes = try Data(contentsOf: Self.fixtures.appendingPathComponent(fixture))
    try bytes.write(to: program.folder.appendingPathComponent("a.doc"))
    try body(program, bytes)
  }

  @Test func `A dry run tells the steps and writes nothing`() throws {
    try with("v1-everything.doc") { (program, bytes) throws in
      let result = try program.run(["migrate", "a.doc", "--dry-run"])
      #expect(result.status == 0, "\(result.errors)")
      #expect(
        result.output == """
          a.doc: version 1 to 2:
            the class PortolanCollectionSource becomes PortolanSourceFile (3 objects)
            coordinateSystem becomes coordinateAuthority and coordinateCode
            layers may belong to groups
          a.doc: version 2 to 3:
            the document keeps its panes: one tab for each map view (3 map views)
          nothing written

          """)
      #expect(program.files == ["a.doc"])
      #expect(try Data(contentsOf: program.folder.appendingPathComponent("a.doc")) == bytes)
    }
  }

  @Test func `Migrating keeps the file as it was under its version`() throws {
    try with("v1-everything.doc") { (program, bytes) throws in
      let result = try program.run(["migrate", "a.doc"])
      #expect(result.status == 0)
      #expect(result.output.hasPrefix("a.doc: version 1 to 2:\n"))
      #expect(result.output.hasSuffix("(3 map views)\na.doc: saved in version 3\n"))
      #expect(result.errors.hasPrefix("portolan: a.doc: the former version is kept as /"))
      #expect(result.errors.hasSuffix("/a.doc.v1\n"))
      #expect(program.files.filter { !$0.hasPrefix(".") }.sorted() == ["a.doc", "a.doc.v1"])
      #expect(try Data(contentsOf: program.folder.appendingPathComponent("a.doc.v1")) == bytes)
      let again = try program.run(["migrate", "a.doc"])
      #expect(again.status == 0 && again.output == "a.doc: version 3: nothing to do\n")
      #expect(try program.run(["info", "a.doc"]).output.contains("OGC:CRS84"))
    }
  }

  @Test func `With -o the document stays as it is`() throws {
    try with("v1-countries.doc") { (program, bytes) throws in
      let result = try program.run(["migrate", "a.doc", "-o", "b.doc"])
      #expect(result.status == 0)
      #expect(result.output.hasSuffix("b.doc: saved in version 3\n"))
      #expect(program.files.filter { !$0.hasPrefix(".") }.sorted() == ["a.doc", "b.doc"])
      #expect(try Data(contentsOf: program.folder.appendingPathComponent("a.doc")) == bytes)
      #expect(
        try program.run(["migrate", "b.doc", "--dry-run"]).output
          == "b.doc: version 3: nothing to do\n")
    }
  }

  @Test func `The panes of a document are told`() throws {
    try with("v3-everything.doc") { (program, _) throws in
      let result = try program.run(["info", "a.doc"])
      #expect(
        result.output.contains(
          """
          tab       Overview
          tab       (Main / Übersicht) | Plan | Main
          tab       Loose legend

          """))
      let json = try program.run(["info", "a.doc", "--json"])
      #expect(
        json.output.contains(
          #""tabs":[{"view":"Overview"},{"axis":"columns","panes":[{"axis":"rows","panes":["#))
    }
  }

  @Test func `A newer document is looked at and not saved`() throws {
    try with("v3-everything.doc") { (program, bytes) throws in
      var newer = bytes
      // The first integer 3 that stands behind the key is the version.
      let place = try #require(newer.firstRange(of: [0x10, 0x03]))
      newer[place.lowerBound + 1] = 4
      try newer.write(to: program.folder.appendingPathComponent("n.doc"))
      let info = try program.run(["info", "n.doc"])
      #expect(info.status == 0, "\(info.errors)")
      #expect(info.output.contains("points"))
      for options in [[], ["--dry-run"], ["-o", "m.doc"]] {
        let migrated = try program.run(["migrate", "n.doc"] + options)
        #expect(migrated.status == 5, "\(migrated.errors)")
        #expect(migrated.output.isEmpty)
        #expect(
          migrated.errors.contains("n.doc: is of version 4")
            && migrated.errors.contains("save it with a newer Portolan, or export its layers"))
      }
      #expect(program.files.filter { !$0.hasPrefix(".") }.sorted() == ["a.doc", "n.doc"])
      #expect(
        try program.run(["export", "n.doc", "--layers", "points", "-o", "p.geojson"]).status == 0)
    }
  }
}
