import PortolanDocuments
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The settings that are kept with a document.
@Suite struct DocumentSettingsTests {
  private static let ofDocuments = Setting.all.filter(\.isOfDocuments)

  /// A value that a document can hold.
  private static func value(_ setting: Setting, _ random: inout SeededGenerator) -> String {
    setting.words.randomElement(using: &random) ?? setting.builtIn
  }

  @Test(arguments: Seeds.some(20))
  func `Session, environment, document, user and machine decide in this order`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    for setting in Self.ofDocuments where setting.key != "base" {
      var values: [String?] = []
      for _ in 0..<5 {
        values.append(Bool.random(using: &random) ? Self.value(setting, &random) : nil)
      }
      let (machine, user, document, environment, session) =
        (values[0], values[1], values[2], values[3], values[4])
      var texts: [String: String] = [:]
      if let machine { texts["/etc/xdg/portolan/config"] = "\(setting.key) = \(machine)" }
      if let user { texts["/home/lea/.config/portolan/config"] = "\(setting.key) = \(user)" }
      let settings = SettingsTests.settings(
        texts, environment.map { [setting.variable: $0] } ?? [:])
      var room = Room()
      room.host.arrange { $0.change { $0.begin(with: settings) } }
      if let document { room.run("option --document \(setting.key)=\(document)") }
      if let session { room.run("option \(setting.key)=\(session)") }
      let wanted = session ?? environment ?? document ?? user ?? machine ?? setting.builtIn
      let desk = room.desk(.local)
      #expect(desk.entry(of: setting).value == wanted, "\(setting.key): \(values)")
      let normal = try #require(setting.change).normal
      #expect(setting.change?.present(desk) == normal(wanted), "\(setting.key): \(values)")
      // Without the document's value, the next level decides.
      guard document != nil else { continue }
      room.run("option --document \(setting.key)=")
      let rest = session ?? environment ?? user ?? machine ?? setting.builtIn
      #expect(setting.change?.present(room.desk(.local)) == normal(rest), "\(values)")
    }
  }

  @Test func `All who show the document have its settings, but for what they chose`() throws {
    var room = Room()
    let ben = try room.join("ben")
    let cid = try room.join("cid", isWatching: true)
    room.run("option units=km", ben)
    room.run("option --document units=nmi")
    #expect(room.message(.local) == "units = nmi (kept with untitled)")
    #expect(room.desk(.local).session.measureUnit == .nmi)
    #expect(room.desk(ben).session.measureUnit == .km)
    #expect(room.desk(cid).session.measureUnit == .nmi)
    #expect(room.desk(.local).isEdited)
    let dan = try room.join("dan")
    #expect(room.desk(dan).session.measureUnit == .nmi)
    room.run("option units", dan)
    #expect(room.message(dan) == "units = nmi  (kept with the document)")
    room.run("option --document units=ft", ben)
    #expect(room.message(ben).hasSuffix("; here it is km, chosen in this session"))
    room.run("undo", ben)
    #expect(room.desk(.local).session.measureUnit == .nmi)
    room.run("option --document units=mi", cid)
    #expect(room.desk(.local).document.metadata.settings == ["units": "nmi"])
    let answer = try room.remote("option --document panels=none\noption panels\n")
    #expect(String(decoding: answer.output, as: UTF8.self).contains("kept with the document"))
    #expect(room.desk(.local).panels == [])
  }

  @Test func `Looks of terminals, files, what a program does and wrong words stay out`() throws {
    var editor = Editor()
    for (line, words) in [
      ("theme=dark", "base, panels, units or snap"), ("versions=no", "is not kept"),
      ("ssh=rm", "is not kept"), ("units=elle", "units cannot be"),
      ("base=/etc/passwd", "names no file"), ("units", "KEY=VALUE"),
    ] {
      let error = #expect(throws: EditingError.self, "\(line)") {
        try editor.run("option --document \(line)")
      }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    #expect(editor.document.metadata.settings.isEmpty)
    // A document from elsewhere may say anything: nothing of that is taken.
    var room = Room()
    let said = [
      "theme": "mono", "versions": "no", "ssh": "rm -rf", "base": "/etc/passwd",
      "units": "\u{1B}[2J",
      "later": "1",
    ]
    _ = room.host.arrange { workspace in
      workspace.change { desk in try? desk.edit("x") { $0.metadata.settings = said } }
    }
    let desk = room.desk(.local)
    for setting in Setting.all {
      #expect(desk.entry(of: setting).origin == .builtIn, "\(setting.key)")
    }
    #expect(desk.document.metadata.settings == said, "unknown settings are kept")
  }

  @Test func `Each document of a session has its own`() throws {
    var texts: [String: [UInt8]] = [:]
    for (name, unit) in [("a", "nmi"), ("b", "ft")] {
      var document = Document.towns
      document.metadata.settings = ["units": unit]
      texts["/m/\(name).doc"] = try DocumentArchive.bytes(of: document)
    }
    var room = Room(Document(), files: MemoryFileSystem(files: texts))
    room.run("open /m/a.doc")
    #expect(room.desk(.local).session.measureUnit == .nmi)
    room.run("tab new /m/b.doc")
    #expect(room.desk(.local).session.measureUnit == .ft)
    room.run("tab 1")
    #expect(room.desk(.local).session.measureUnit == .nmi)
  }
}
