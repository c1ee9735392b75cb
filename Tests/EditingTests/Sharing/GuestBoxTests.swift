import PortolanTerminals
import Synchronization
import Testing

@testable import PortolanEditing

/// What waits for the loop of a host, and what a client sends there.
@Suite struct GuestBoxTests {
  private static func paste(_ megabytes: Int) -> TerminalEvent {
    .paste(String(repeating: "x", count: megabytes << 20))
  }

  @Test func `Only so many bytes of a guest's pastes wait`() {
    let box = GuestBox {}
    let (line, other) = (box.makeLine(), box.makeLine())
    let paste = Self.paste(15)
    for _ in 0..<4 { #expect(box.post([paste], of: line)) }
    #expect(!box.post([paste], of: line))
    #expect(box.post([paste], of: other))
    #expect(box.takeEvents(atMost: 1).map(\.events.count) == [1, 1])
    #expect(box.post([paste], of: line))
    #expect(!box.post([paste], of: line))
    #expect(box.takeEvents(atMost: .max).map(\.events.count) == [4])
    for _ in 0..<4 { #expect(box.post([paste], of: line)) }
    box.forget(line)
    for _ in 0..<4 { #expect(box.post([paste], of: line)) }
  }

  @Test func `Only so much mail of a line waits, and its end is always taken`() {
    let box = GuestBox {}
    let (line, other) = (box.makeLine(), box.makeLine())
    for _ in 0..<1_024 { #expect(box.post(.shown(line), of: line)) }
    #expect(!box.post(.shown(line), of: line))
    #expect(box.post(.shown(other), of: other))
    box.post(.gone(line, nil))
    #expect(box.takeMail().count == 1_026)
    let text = String(repeating: "x", count: 15 << 20)
    let lines = RemoteLines(text: text, path: nil)
    for _ in 0..<4 { #expect(box.post(.lines(line, lines) { _ in }, of: line)) }
    #expect(!box.post(.lines(line, lines) { _ in }, of: line))
  }

  /// A line that keeps what a host would read.
  private final class Line: HostLine {
    let messages = Mutex<[[TerminalEvent]]>([])

    func send(_ events: [TerminalEvent]) throws {
      let events = try PackedEvents.events(PackedEvents.bytes(events))
      messages.withLock { $0.append(events) }
    }
    func noteShown() {}
    func close() {}
  }

  @Test func `A paste that is too long for a host is cut, and what follows is sent`() throws {
    let long = "x" + String(repeating: "é", count: 9 << 20)
    let key = TerminalEvent.key(Key(.character("l")))
    let screen = FakeScreen(events: [key, .paste(long), key, Self.paste(16), Self.paste(16), key])
    let line = Line()
    var loop = AttachLoop(screen: screen, line: line, box: ClientBox(waking: screen.waker))
    #expect(try loop.run() == AttachEnd(code: 0, text: ""))
    let messages = line.messages.withLock { $0 }
    let events = messages.flatMap { $0 }.dropFirst(2)
    #expect(events.count == 6)
    let texts = events.compactMap { if case .cutPaste(let text) = $0 { text } else { nil } }
    #expect(texts.count == 1 && texts.first.map { long.hasPrefix($0) } == true)
    #expect(texts.first?.utf8.count == (16 << 20) - 1)
    #expect(events.last == key)
    for message in messages { #expect(PackedEvents.bytes(message).count < 18 << 20) }
  }
}
