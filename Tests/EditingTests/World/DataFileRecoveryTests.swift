import PortolanDocuments
import PortolanFiles
import PortolanKeeping
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// Work on files of map data that was left by an editor and is recovered.
@Suite struct DataFileRecoveryTests {
  private static let towns = "lon,lat,name,people\r\n1,2,Ulm,7\r\n3,4,\"Bonn\",9\r\n"
  private static let roads = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"A 1"},"geometry":{"type":"Point","coordinates":[1,2]}}
    ]}

    """

  private let files = MemoryFileSystem(files: [
    "/m/roads.geojson": Array(Self.roads.utf8), "/m/towns.csv": Array(Self.towns.utf8),
  ])

  private func text(_ path: String) throws -> String {
    String(decoding: try files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  private var options: World.Options {
    var options = World.Options()
    options.state = StateFolder(path: "/state/portolan")
    options.keepsEdits = true
    return options
  }

  /// Plays keys; the terminal hangs up when they are used up.
  private func play(_ keys: String, open: [String]) throws -> Desk {
    var options = options
    options.guardsDocuments = true
    let world = World(files: files, options: options)
    var loop = EditorLoop(desk: Desk(), screen: try FakeScreen(keys: keys), world: world)
    _ = try loop.run(files: open, patienceSeconds: 20)
    files.closeAll()
    return loop.desk
  }

  /// Leaves an edit of a file that another program writes then; returns what it wrote.
  private func leave(_ path: String) throws -> String {
    let edit = path.hasSuffix("csv") ? ":go name Ulm<ret>:set people=8<ret>" : ":go name 'A 1'<ret>"
    _ = try play(edit + (path.hasSuffix("csv") ? "" : ":set name=B<ret>"), open: [path])
    let theirs = try text(path).replacing("Bonn", with: "Köln").replacing("A 1", with: "C 3")
    files.put(Array(theirs.utf8), at: path)
    return theirs
  }

  private func recover(_ path: String, to output: String?, force: Bool = true) throws -> String {
    defer { files.closeAll() }
    var told: [String] = []
    var runner = HeadlessRunner(world: World(files: files, options: options)) { told.append($0) }
    try runner.run(
      line: "recover \(path)" + (output.map { " -o \($0)" } ?? "") + (force ? " --force" : ""))
    return told.joined(separator: "\n")
  }

  @Test(arguments: ["/m/towns.csv", "/m/roads.geojson"])
  func `Over a file that was changed since, work is saved after a question`(path: String) throws {
    let theirs = try leave(path)
    let asked = try play("", open: [path])
    #expect(asked.question?.text.contains(":w! replaces it") == true)
    let recovered = try play("r:w<ret>", open: [path])
    #expect(recovered.file.path == path)
    #expect(recovered.question?.title.contains("changed on disk") == true)
    #expect(try text(path) == theirs)
    // The journal is there still.
    let saved = try play("r:w!<ret>", open: [path])
    #expect(!saved.isEdited, "\(saved.message?.text ?? "")")
    let mine = try text(path)
    #expect(
      mine
        == (path.hasSuffix("csv")
          ? Self.towns.replacing(",7", with: ",8").replacing("\"", with: "")
          : Self.roads.replacing("A 1", with: "B")))
    #expect(try text(path + ".theirs") == theirs)
    #expect(try play("", open: [path]).mode == .normal)
  }

  @Test func `Such work that is left once more is still known to be of a changed file`() throws {
    let theirs = try leave("/m/towns.csv")
    _ = try play("r:set people=11<ret>", open: ["/m/towns.csv"])
    let again = try play("r:w<ret>", open: ["/m/towns.csv"])
    #expect(again.question?.title == "towns.csv changed on disk")
    #expect(try text("/m/towns.csv") == theirs)
  }

  @Test(arguments: ["/m/towns.csv", "/m/roads.geojson"])
  func `The verb writes work into its own file of map data`(path: String) throws {
    let theirs = try leave(path)
    #expect(throws: Failure.self) { try recover(path, to: path, force: false) }
    #expect(throws: Failure.self) { try recover(path, to: "/m/other.geojson") }
    #expect(try text(path) == theirs)
    #expect(try recover(path, to: path).contains("into \(path)"))
    #expect(try text(path).contains(path.hasSuffix("csv") ? "Ulm,8" : "\"B\""))
    #expect(throws: Failure.self) { try recover(path, to: nil) }
    #expect(try play("", open: [path]).mode == .normal)
  }

  @Test func `Several files stay several after a recovery`() throws {
    let both = ["/m/towns.csv", "/m/roads.geojson"]
    _ = try play(":go name Ulm<ret>:set people=8<ret>", open: both)
    let desk = try play("r:w<ret>", open: both)
    let message = desk.message?.text ?? ""
    #expect(message.contains("several files are open together"), "\(message)")
  }
}
