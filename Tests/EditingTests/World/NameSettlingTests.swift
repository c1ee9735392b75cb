import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The names of a map that was moved key by key, as a person moves it.
@Suite struct NameSettlingTests {
  private static let size = CellSize(columns: 120, rows: 40)

  @Test(arguments: Seeds.some(6))
  func `A map at rest is the one of a fresh drawing, and is drawn once`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let towns = (0..<200).map { number in
      let x = Double.random(in: -20...20, using: &random)
      let y = Double.random(in: 30...60, using: &random)
      return #"{"type":"Feature","properties":{"name":"Town \#(number)"},"#
        + #""geometry":{"type":"Point","coordinates":[\#(x),\#(y)]}}"#
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-names-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("towns.geojson")
    let text = #"{"type":"FeatureCollection","features":[\#(towns.joined(separator: ","))]}"#
    try Data(text.utf8).write(to: file)
    let keys = (0..<12).map { _ in ["H", "J", "K", "L"].randomElement(using: &random) ?? "H" }
    var loop = EditorLoop(
      desk: Desk(),
      screen: UnhurriedScreen(try FakeScreen(keys: keys.joined(), size: Self.size)),
      world: World(files: RealFileSystem(), options: World.Options()))
    _ = try loop.run(files: [file.path], patienceSeconds: 20)
    let desk = loop.desk
    var memory = RenderMemory()
    let fresh = desk.frame(size: Self.size, memory: &memory)
    #expect(loop.screen.frames.last == fresh)
    // The first picture, one for each key, and at most one more.
    #expect(loop.screen.frames.count <= keys.count + 2)
    // After the last key the wait for the names runs out once, and is not begun anew.
    let waits = loop.screen.waits
    #expect(waits.last == .some(nil) && waits.dropLast().allSatisfy { $0 != nil })
    let limits = waits.compactMap { $0 }
    #expect(zip(limits, limits.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test(arguments: ["select here", "select all", "draw point --layer towns", "legend on"])
  func `What is no move leaves the names of a map at rest settled`(line: String) throws {
    var editor = Editor()
    try editor.run("go to 10 48")
    var memory = RenderMemory()
    _ = editor.desk.frame(size: Self.size, memory: &memory)
    try editor.run(line)
    _ = editor.desk.frame(size: Self.size, memory: &memory)
    #expect(!memory.hasUnsettledNames)
  }

  @Test func `A frame without a move does not prolong the wait of names`() throws {
    var editor = Editor()
    var memory = RenderMemory()
    var settling = NameSettling()
    _ = editor.desk.frame(size: Self.size, memory: &memory)
    settling.note(memory)
    #expect(!settling.timer.isRunning)
    try editor.press("L")
    _ = editor.desk.frame(size: Self.size, memory: &memory)
    settling.note(memory)
    let due = try #require(settling.timer.due)
    settling.note(memory)
    #expect(settling.timer.due == due)
    try editor.press("L")
    _ = editor.desk.frame(size: Self.size, memory: &memory)
    settling.note(memory)
    #expect(try #require(settling.timer.due) > due)
    memory.settleNames()
    settling.note(memory)
    #expect(!settling.timer.isRunning)
  }
}

/// A screen on which each key is shown before the next one is pressed.
private struct UnhurriedScreen: Screen {
  private var screen: FakeScreen
  /// The limits of the waits since the last key, in seconds.
  private(set) var waits: [Double?] = []

  init(_ screen: FakeScreen) { self.screen = screen }

  var frames: [Frame] { screen.frames }
  var size: CellSize { screen.size }
  var capabilities: ScreenCapabilities { screen.capabilities }
  var waker: ScreenWaker { screen.waker }

  mutating func nextEvent(timeoutSeconds: Double?) -> TerminalEvent? {
    if timeoutSeconds == 0 { return nil }
    let isPlaying = !screen.events.isEmpty
    if isPlaying { waits = [] } else { waits.append(timeoutSeconds) }
    return screen.nextEvent(timeoutSeconds: timeoutSeconds)
  }

  mutating func present(_ frame: Frame) { screen.present(frame) }
  mutating func invalidate() { screen.invalidate() }
  mutating func beep() { screen.beep() }
  mutating func copyToClipboard(_ text: String) { screen.copyToClipboard(text) }
  mutating func suspend() { screen.suspend() }
}
