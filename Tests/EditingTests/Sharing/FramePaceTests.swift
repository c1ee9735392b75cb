import Foundation
import PortolanFiles
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// How often a terminal gets pictures of what others do, and how fast a line is.
@Suite struct FramePaceTests {
  private let start = ContinuousClock.now

  @Test func `One's own picture is due at once, that of others' edits after a rest`() {
    var pace = FramePace()
    #expect(pace.due == nil)
    pace.note(isOwn: false, at: start)
    #expect(pace.due == start)
    pace.noteDrawn(at: start)
    #expect(pace.due == nil)
    pace.note(isOwn: false, at: start + .milliseconds(1))
    pace.note(isOwn: false, at: start + .milliseconds(9))
    #expect(pace.due == start + FramePace.rest)
    pace.note(isOwn: true, at: start + .milliseconds(10))
    #expect(pace.due == start + .milliseconds(1))
    pace.noteDrawn(at: start + .milliseconds(10))
    pace.note(isOwn: false, at: start + .seconds(1))
    #expect(pace.due == start + .seconds(1))
  }

  @Test func `Who acted comes first, then who waits longest`() {
    var (own, early, late) = (FramePace(), FramePace(), FramePace())
    early.note(isOwn: false, at: start)
    late.note(isOwn: false, at: start + .milliseconds(1))
    own.note(isOwn: true, at: start + .milliseconds(2))
    #expect(own.precedes(early) && !early.precedes(own))
    #expect(early.precedes(late) && !late.precedes(early))
  }

  @Test func `A line is as fast as its best large frame of late`() {
    var pace = LinePace()
    #expect(pace.bytes(in: 1) == 0)
    // Small frames say nothing.
    pace.begin(200, at: start)
    pace.end(at: start + .milliseconds(1))
    #expect(pace.bytes(in: 1) == 0)
    pace.begin(6_000, at: start)
    pace.end(at: start + .milliseconds(3))
    #expect(pace.bytes(in: 0.3) == 600_000)
    pace.begin(6_000, at: start)
    pace.end(at: start + .milliseconds(600))
    #expect(pace.bytes(in: 0.3) == 420_000)
    for _ in 0..<20 {
      pace.begin(6_000, at: start)
      pace.end(at: start + .milliseconds(600))
    }
    #expect(pace.bytes(in: 0.3) == 3_000)
  }

  @Test func `A flood of others' edits costs a terminal some pictures a second`() throws {
    let room = ServedRoom()
    let (acting, looking) = (try room.join(), try room.join())
    #expect(acting.wait { $0.contains("with g2") })
    try acting.press(":new-layer x<ret>")
    #expect(looking.wait { $0.contains("x") })
    let before = looking.frames
    let begun = ContinuousClock.now
    for number in 0..<40 { try acting.press(":rename x\(number)<ret>") }
    #expect(looking.wait { $0.contains("x39") })
    let time = begun.duration(to: .now)
    #expect(looking.frames - before <= 3 + Int(time / FramePace.rest))
    #expect(room.end())
  }
}

/// A workspace that no terminal shows ends after the configured time.
@Suite struct StayingTests {
  private static func loop(_ time: String) throws -> EditorLoop<NoScreen> {
    var settings = Settings()
    settings.set(.serveTime, to: time, by: .option("test"))
    var options = World.Options()
    options.settings = settings
    let world = World(files: MemoryFileSystem(files: [:]), options: options)
    var desk = Desk(document: .towns)
    desk.begin(with: settings)
    var loop = EditorLoop(desk: desk, screen: NoScreen(), world: world, isHere: false)
    loop.share(at: "/run/1", stays: true)
    return loop
  }

  @Test func `The time begins when the last terminal goes, and ends with the next one`() throws {
    let start = ContinuousClock.now
    var loop = try Self.loop("2m")
    #expect(loop.stayRestSeconds(at: start) == 120)
    #expect(loop.stayRestSeconds(at: start + .seconds(50)) == 70)
    #expect(loop.stayRestSeconds(at: start + .seconds(200)) == 0)
    loop.isHere = true
    #expect(loop.stayRestSeconds(at: start + .seconds(60)) == nil)
    loop.isHere = false
    #expect(loop.stayRestSeconds(at: start + .seconds(60)) == 120)
    var other = try Self.loop("unlimited")
    #expect(other.stayRestSeconds(at: start) == nil)
  }

  @Test func `It ends by itself, and keeps its journals`() throws {
    var loop = try Self.loop("1s")
    let begun = ContinuousClock.now
    #expect(try loop.run() == 0)
    #expect(begun.duration(to: .now) < .seconds(10))
    #expect(loop.isHangUp)
  }
}
