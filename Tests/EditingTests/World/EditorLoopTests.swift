import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// The run loop on a screen that plays keys, with real files in a folder of its own.
@Suite final class EditorLoopTests {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-loop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Self.points.utf8).write(to: folder.appendingPathComponent("points.geojson"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static let points = """
    {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Here"},\
    "geometry":{"type":"Point","coordinates":[10,50]}}]}
    """

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Plays keys; answers the exit code and every picture.
  private func play(
    _ keys: String, files: [String] = [], state: StateFolder? = nil
  ) throws -> (Int32, [String], Desk) {
    var options = World.Options()
    options.beginsNewDocuments = true
    options.guardsDocuments = state != nil
    options.state = state
    var loop = EditorLoop(
      desk: Desk(), screen: try FakeScreen(keys: keys),
      world: World(files: RealFileSystem(), options: options))
    let code = try loop.run(files: files.map(path), patienceSeconds: 20)
    return (code, loop.screen.frames.map { $0.plainText() }, loop.desk)
  }

  @Test func `The first picture shows a small file at once`() throws {
    let (code, pictures, _) = try play("", files: ["points.geojson"])
    #expect(code == 0)
    #expect(pictures.first?.contains("points") == true)
    #expect(pictures.first?.contains("pt 1") == true)
  }

  @Test(arguments: [false, true])
  func `What is being written is waited for at the end as long as it gets on`(hangs: Bool) throws {
    let gate = DispatchSemaphore(value: 0)
    let files = FailingFileSystem(RealFileSystem()) { call in
      guard call == "write" else { return }
      if hangs { gate.wait() } else { usleep(50_000) }
    }
    defer { gate.signal() }
    var loop = EditorLoop(
      desk: Desk(),
      screen: try FakeScreen(keys: ":w \(path("out.doc"))<ret>:q!<ret>"),
      world: World(files: files, options: World.Options()))
    loop.host.patience = hangs ? .milliseconds(200) : .seconds(20)
    let code = try loop.run(files: [path("points.geojson")], patienceSeconds: 20)
    #expect(code == (hangs ? 4 : 0))
    #expect(loop.remark.isEmpty != hangs)
    #expect(FileManager.default.fileExists(atPath: path("out.doc")) != hangs)
  }

  @Test func `Lines typed at the prompts are found in the next session, newest first`() throws {
    let state = StateFolder(path: path("state"))
    func desk(after keys: String) throws -> Desk {
      try play(keys, files: ["points.geojson"], state: state).2
    }
    _ = try desk(after: ":go -95 40<ret>/here<ret>: secret<ret>:where<ret>")
    #expect(try desk(after: ":<up><up>").prompt?.line.text == "go -95 40")
    #expect(try desk(after: "/<up>").prompt?.line.text == "here")
    #expect(try desk(after: ":zoom in<ret>:<up><up>").prompt?.line.text == "where")
  }

  @Test func `Several files become one document that is not edited`() throws {
    let (_, _, desk) = try play("", files: ["points.geojson", "points.geojson"])
    #expect(desk.document.layers.map(\.name) == ["points", "points 2"])
    #expect(!desk.isEdited)
  }

  @Test func `A file that cannot be read stays told when the next one can`() throws {
    let (_, pictures, desk) = try play("", files: ["nothing.geojson", "points.geojson"])
    #expect(desk.message?.severity == .error)
    #expect(pictures.last?.contains("nothing.geojson") == true)
    #expect(desk.document.layers.map(\.name) == ["points"])
  }

  @Test func `A burst of keys is answered by one picture`() throws {
    let (_, pictures, desk) = try play("llllllllll5l", files: ["points.geojson"])
    #expect(pictures.count <= 2)
    #expect(desk.cursorColumn == 28 + 15)
  }

  @Test func `What cannot be opened is a message, not an end`() throws {
    let (code, pictures, _) = try play("l", files: ["nothing.geojson"])
    #expect(code == 0)
    #expect(pictures.first?.contains("No such file") == true)
    let (_, folder, _) = try play("l", files: ["."])
    #expect(folder.first?.contains("folder") == true)
  }

  @Test func `What is being saved is whole when the editor ends`() throws {
    let target = path("saved.doc")
    let (code, _, _) = try play(":w \(target)<ret>", files: ["points.geojson"])
    #expect(code == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: target))
    #expect(bytes.starts(with: Array("bplist00".utf8)))
    let (_, pictures, desk) = try play("", files: ["saved.doc"])
    #expect(desk.file.path == target)
    #expect(pictures.first?.contains("pt 1") == true)
  }

  @Test func `A document that is not there yet is begun under its name`() throws {
    let (_, pictures, desk) = try play("", files: ["new.doc"])
    #expect(desk.file.path == path("new.doc"))
    #expect(pictures.first?.contains("new document") == true)
    #expect(!FileManager.default.fileExists(atPath: path("new.doc")))
  }

  @Test func `An export does not overwrite a file that is there`() throws {
    let before = try Data(contentsOf: folder.appendingPathComponent("points.geojson"))
    _ = try play(
      ":export -o \(path("points.geojson"))<ret>", files: ["points.geojson"])
    #expect(try Data(contentsOf: folder.appendingPathComponent("points.geojson")) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test func `Nothing is drawn while nothing changes`() throws {
    var loop = EditorLoop(
      desk: Desk(), screen: FakeScreen(events: [.resumed]),
      world: World(files: RealFileSystem()))
    _ = try loop.run()
    #expect(loop.screen.frames.count == 2)
    #expect(loop.screen.invalidationCount == 1)
    var idle = EditorLoop(
      desk: Desk(), screen: FakeScreen(events: []), world: World(files: RealFileSystem()))
    _ = try idle.run()
    #expect(idle.screen.frames.count == 1)
  }
}
