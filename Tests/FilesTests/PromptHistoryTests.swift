import PortolanTestSupport
import Testing

@testable import PortolanFiles

struct PromptHistoryTests {
  typealias Line = PromptHistory.Line

  @Test(arguments: Seeds.some(20))
  func `Noted lines come back in their order, each once, whatever is in them`(
    seed: UInt64
  ) throws {
    let history = PromptHistory(in: StateFolder(path: "/s/portolan"), MemoryFileSystem())
    #expect(history.lines().isEmpty)
    var random = SeededGenerator(seed: seed)
    let scalars = Array(" aé\n\t%\u{1b}\u{9b}\u{202e}日👩‍👩‍👧:/".unicodeScalars)
    var model: [Line] = []
    for _ in 0..<60 {
      let text = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 1...6, using: &random)).map { _ in
            scalars[Int.random(in: 0..<scalars.count, using: &random)]
          }))
      let line = Line(
        mark: [":", "/", "lon lat: "][Int.random(in: 0..<3, using: &random)], text: text)
      try history.note(line)
      if text.first == " " { continue }
      model.removeAll { $0 == line }
      model.append(line)
    }
    #expect(history.lines() == model)
  }

  @Test func `The oldest lines are forgotten, and damaged ones passed over`() throws {
    let files = MemoryFileSystem()
    let history = PromptHistory(in: StateFolder(path: "/s"), files)
    for number in 0..<PromptHistory.countMax + 5 {
      try history.note(Line(mark: ":", text: "go \(number) 1"))
    }
    #expect(history.lines().count == PromptHistory.countMax)
    #expect(history.lines().first?.text == "go 5 1")
    try history.note(Line(mark: ":", text: String(repeating: "x", count: 5000)))
    #expect(history.lines().last?.text == "go 1004 1")
    files.put(Array(": ok\n: %FF\nalone\n: a b\n\n: last".utf8), at: "/s/history/lines")
    #expect(history.lines().map(\.text) == ["ok", "last"])
  }
}
