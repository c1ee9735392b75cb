import Foundation
import PortolanDocuments
import PortolanFiles
import Testing

@testable import PortolanEditing

/// Scripts that are run with `:run`: each line waits for what the line before it asked for.
@Suite final class EditorScriptTests {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-script-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(EditorLoopTests.points, to: "points.geojson")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Runs a script as the editor does; answers come one after the other.
  private func run(_ script: String) throws -> Desk {
    try write(script.replacingOccurrences(of: "%", with: folder.path + "/"), to: "script")
    let world = World(files: RealFileSystem())
    var desk = Desk()
    desk.attempt(line: "run '\(path("script"))'")
    var effects = desk.takeEffects()
    while !effects.isEmpty {
      let effect = effects.removeFirst()
      if let answer = try world.perform(effect) { effects += desk.handle(answer) }
    }
    return desk
  }

  @Test func `Lines after open, import and save see what those did`() throws {
    try write("import '\(path("points.geojson"))' --as second\n", to: "inner")
    let desk = try run(
      """
      open '%points.geojson'
      include '%inner'
      try frobnicate
      try open '%nothing.geojson'
      save '%map.doc'
      hide second
      """)
    #expect(desk.document.layers.map(\.name) == ["points", "second"])
    #expect(desk.document.layers.map(\.isVisible) == [true, false])
    #expect(desk.file.path == path("map.doc"))
    #expect(FileManager.default.fileExists(atPath: path("map.doc")))
  }

  @Test(arguments: [
    ("open '%nothing.geojson'\nimport '%points.geojson'\n", ":1: "),
    ("open '%points.geojson'\n\nfrobnicate\nimport '%points.geojson'\n", ":3:1: "),
    ("open '%points.geojson'\ninclude '%script'\nimport '%points.geojson'\n", ":2: "),
  ])
  func `The first failure ends the script, with its place`(script: String, place: String) throws {
    let desk = try run(script)
    #expect(desk.message?.severity == .error)
    #expect(desk.message?.text.hasPrefix(path("script") + place) == true)
    #expect(desk.document.layers.count <= 1)
  }
}
