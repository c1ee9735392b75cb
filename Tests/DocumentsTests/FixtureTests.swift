import Archiving
import Foundation
import PortolanGraphics
import PropertyLists
import Testing

@testable import PortolanDocuments

/// Documents of every version there ever was. A fixture of a shipped version never changes.
@Suite("Fixtures")
struct FixtureTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/documents")

  /// The bytes of a fixture; a missing one is written from `made`, and the test fails once.
  private func fixture(_ name: String, made: [UInt8]? = nil) throws -> [UInt8] {
    let file = Self.folder.appendingPathComponent(name)
    if let made, !FileManager.default.fileExists(atPath: file.path) {
      try Data(made).write(to: file)
      Issue.record("\(name) was missing and is written now: look at it and commit it")
    }
    return [UInt8](try Data(contentsOf: file))
  }

  @Test("Version 1 with one of everything opens as what it was")
  func firstVersion() throws {
    let document = FixtureDocument.make()
    let opened = try DocumentArchive.open(fixture("v1-everything.doc"))
    #expect(opened.migratedFrom == 1)
    #expect(opened.steps.map(\.version) == [1, 2])
    #expect(
      opened.steps.first?.changes.first
        == "the class PortolanCollectionSource becomes PortolanSourceFile (3 objects)")
    #expect(differences(document, opened.document) == [])
    let maps = opened.document.views.compactMap { $0 as? MapView }
    #expect(maps.map(\.auxiliaryView) == [ViewID(2), nil, nil])
    // Lifted or made, it is the same document, and so the same bytes.
    let reopened = try FixtureDocument.reopened(document)
    #expect(
      try DocumentArchive.bytes(of: opened.document) == DocumentArchive.bytes(of: reopened))
  }

  @Test("Version 2 with one of everything opens as what it was")
  func secondVersion() throws {
    let document = try FixtureDocument.makeSecond()
    let opened = try DocumentArchive.open(fixture("v2-everything.doc"))
    #expect(opened.migratedFrom == 2)
    #expect(
      opened.steps.map(\.changes) == [
        ["the document keeps its panes: one tab for each map view (3 map views)"]
      ])
    #expect(differences(document, opened.document) == [])
    #expect(opened.document.layout == nil)
    let tabs = opened.document.arrangement?.tabs ?? []
    #expect(tabs.map { $0.layout.leaves.map(\.view.rawValue) } == [[1], [2], [4]])
    let reopened = try FixtureDocument.reopened(document)
    #expect(
      try DocumentArchive.bytes(of: opened.document) == DocumentArchive.bytes(of: reopened))
  }

  @Test("Version 3 with one of everything opens as what it was and comes out as the same bytes")
  func everything() throws {
    var document = try FixtureDocument.makeThird()
    let bytes = try fixture("v3-everything.doc", made: DocumentArchive.bytes(of: document))
    let opened = try DocumentArchive.open(bytes)
    #expect(opened.migratedFrom == nil)
    #expect(try DocumentArchive.bytes(of: document) == bytes)
    // The closed overview is not in it.
    document.views.removeAll { $0.id == ViewID(22) }
    #expect(differences(document, opened.document) == [])
    let maps = opened.document.views.compactMap { $0 as? MapView }
    #expect(maps.map(\.auxiliaryView) == [ViewID(21), nil, nil])
    let again = try DocumentArchive.bytes(of: opened.document)
    #expect(try DocumentArchive.bytes(of: FixtureDocument.reopened(opened.document)) == again)
  }

  @Test("Bookmarks of version 3 open as what they were and come out as the same bytes")
  func bookmarks() throws {
    var document = Document()
    document.bookmarks = [
      Bookmark(name: "a", place: Coordinate(x: 13.4, y: 52.5), magnification: 64),
      Bookmark(name: "Grüner Platz", place: Coordinate(x: -179.5, y: -0.0)),
    ]
    let bytes = try fixture("v3-bookmarks.doc", made: DocumentArchive.bytes(of: document))
    let opened = try DocumentArchive.open(bytes).document
    #expect(differences(document, opened) == [])
    #expect(try DocumentArchive.bytes(of: opened) == bytes)
    document.bookmarks += document.bookmarks
    let twice = try DocumentArchive.bytes(of: document)
    #expect(throws: (any Error).self) { try DocumentArchive.open(twice) }
    document.bookmarks = [Bookmark(name: "b", place: Coordinate(x: .nan, y: 0))]
    let nowhere = try DocumentArchive.bytes(of: document)
    #expect(throws: (any Error).self) { try DocumentArchive.open(nowhere) }
  }

  @Test("Stored boxes of version 3 are read and come out as the same bytes")
  func boxes() throws {
    let bytes = try fixture("v3-boxes.doc")
    #expect(Data(bytes).range(of: Data("boxes".utf8)) != nil)
    let opened = try DocumentArchive.open(bytes).document
    #expect(try DocumentArchive.bytes(of: opened) == bytes)
    let layer = try #require(opened.layers.first as? FeatureLayer)
    let block = try #require(layer.blocks.first).geometry
    #expect(layer.blocks.count == 1 && block.vertexCount == 4_200 && block.boxes[2].isEmpty)
    for (line, number) in [0, 1, 3].enumerated() {
      for step in 0..<1_400 {
        let place = Coordinate(
          x: Double(step * step % 4_001) / 32 - 60, y: Double(number * 10 + step % 89) / 4 - 20)
        if block.coordinate(at: 1_400 * line + step) != place { Issue.record("\(number) \(step)") }
      }
    }
    let part = try #require(DocumentArchive.open(bytes.randomAccess, for: .attributes))
    let outline = try #require((part.layers.first as? FeatureLayer)?.blocks.first).geometry
    #expect(outline.isOutline && outline.boxes == block.boxes)
  }

  @Test("A map of version 1 opens with all its features")
  func countries() throws {
    let opened = try DocumentArchive.open(fixture("v1-countries.doc"))
    #expect(opened.migratedFrom == 1)
    #expect(opened.document.layers.reduce(0) { $0 + $1.count } > 100)
    let again = try DocumentArchive.open(DocumentArchive.bytes(of: opened.document))
    #expect(again.migratedFrom == nil)
    #expect(differences(opened.document, again.document) == [])
  }

  @Test("Version 1 as a newer program wrote it keeps what is not known here")
  func future() throws {
    let bytes = try fixture("v1-future-kinds.doc")
    let document = try DocumentArchive.open(bytes).document
    #expect(document.layers.map { $0 is UnknownLayer } == [true, false, false])
    let again = try DocumentArchive.bytes(of: document)
    #expect(try DocumentArchive.bytes(of: DocumentArchive.open(again).document) == again)
  }

  /// What Apple's classes see of our archive, with one class of ours put in the place of each.
  @Test("Foundation's unarchiver opens it where the classes are mapped")
  func foundation() throws {
    let data = Data(try fixture("v1-everything.doc"))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    for name in [
      "PortolanDocument", "PortolanFeatureLayer", "PortolanFeatureBlock", "PortolanColumn",
      "PortolanFeatureShape", "PortolanCollectionSource", "PortolanStyle", "PortolanMapView",
      "PortolanLegendView",
    ] {
      unarchiver.setClass(Stand.self, forClassName: name)
    }
    let root = try #require(unarchiver.decodeObject(forKey: "root") as? Stand)
    #expect(unarchiver.error == nil)
    #expect(root.integers["formatVersion"] == 1)
    #expect(root.objects["title"] as? String == "Everything")
    let layers = try #require(root.objects["layers"] as? [Stand])
    #expect(layers.map { $0.objects["name"] as? String } == ["points", "shapes", "empty"])
    #expect(layers[0].objects["style"] as? Stand === layers[1].objects["style"] as? Stand)
    let blocks = try #require(layers[1].objects["blocks"] as? [Stand])
    let coordinates = try #require(blocks.first?.objects["coordinates"] as? Data)
    #expect(coordinates.count == 16 * 43)
    let views = try #require(root.objects["views"] as? [Stand])
    #expect(views[0].objects["auxiliaryView"] as? Stand === views[1])
    #expect(views[2].objects["auxiliaryView"] == nil)
  }

  @Test(
    "The Python example of the format's page counts the vertices and shows the panes",
    arguments: [
      ("v1-everything.doc", "points 6\nshapes 43\nempty 0\n"),
      (
        "v3-everything.doc",
        """
        shapes 43
        points 6
        empty 0
        tabs
          Overview
          columns
            rows
              Main
              Übersicht
            Plan
            Main
          Loose legend

        """
      ),
    ])
  func python(name: String, expected: String) throws {
    let page = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Docs/formats/document.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let parts = text.components(separatedBy: "```")
    let program = try #require(parts.first { $0.hasPrefix("python\n") }).dropFirst(7)
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else {
      print("skipped: no python3")
      return
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", String(program), Self.folder.appendingPathComponent(name).path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: data, as: UTF8.self) == expected)
  }
}

/// Takes the place of any class of ours in Foundation's unarchiver.
private final class Stand: NSObject, NSCoding {
  var integers: [String: Int] = [:]
  var objects: [String: Any] = [:]

  init?(coder: NSCoder) {
    for key in ["formatVersion", "layout", "id"] where coder.containsValue(forKey: key) {
      integers[key] = coder.decodeInteger(forKey: key)
    }
    let keys = [
      "title", "name", "layers", "views", "blocks", "coordinates", "style", "auxiliaryView",
    ]
    for key in keys where coder.containsValue(forKey: key) {
      if let object = coder.decodeObject(forKey: key) { objects[key] = object }
    }
    super.init()
  }

  func encode(with coder: NSCoder) {}
}
