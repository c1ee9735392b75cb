import PortolanDocuments
import PortolanFiles
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The configuration: files, environment, command line, session.
@Suite struct SettingsTests {
  private static let user = "/home/lea/.config/portolan/config"
  private static let system = "/etc/xdg/portolan/config"

  /// The settings of files and variables.
  static func settings(
    _ texts: [String: String], _ environment: [String: String] = [:]
  ) -> Settings {
    let files = MemoryFileSystem(files: texts.mapValues { Array($0.utf8) })
    return Settings(reading: files) { environment[$0] ?? ($0 == "HOME" ? "/home/lea" : nil) }
  }

  @Test func `Command line, environment, user, machine and program decide in this order`() {
    var settings = Self.settings(
      [
        Self.user: "theme = light\nblocks=half\nbase = none\n",
        Self.system: "# all\ntheme = mono\nblocks = quadrant\nunits = nmi\nsnap = edge\n",
      ], ["PORTOLAN_BLOCKS": "none", "PORTOLAN_BASE": "countries", "PORTOLAN_MOUSE": ""])
    settings.set(.base, to: "coast", by: .option("--base"))
    #expect(settings.faults.isEmpty)
    let wanted: [(Setting, String, String)] = [
      (.base, "coast", "--base of the command line"),
      (.blocks, "none", "PORTOLAN_BLOCKS in the environment"),
      (.theme, "light", "\(Self.user), line 1"),
      (.units, "nmi", "\(Self.system), line 4"),
      (.mouse, "yes", "built in"),
    ]
    for (setting, value, origin) in wanted {
      #expect(settings[setting].value == value)
      #expect(settings[setting].origin.words == origin, "\(setting.key)")
    }
    #expect(settings.theme?.ground == .light)
    #expect(settings.base == .coast)
    #expect(settings.userFile == Self.user)
  }

  @Test func `The folders of the environment hold the files; relative ones do not count`() {
    let texts = ["/c/portolan/config": "snap = grid", "/a/portolan/config": "units = km"]
    let settings = Self.settings(
      texts, ["XDG_CONFIG_HOME": "/c", "XDG_CONFIG_DIRS": "b:/a:/d", "HOME": "/h"])
    #expect(settings[.snap].value == "grid")
    #expect(settings[.units].value == "km")
    #expect(Self.settings(texts, ["XDG_CONFIG_HOME": "c"]).userFile == Self.user)
  }

  @Test func `What is wrong is told with file, line and the nearest word, and changes nothing`() {
    let settings = Self.settings([
      Self.user: """
      thme = dark
      theme = drak
      just words
      units = km
      units = ft
      serve-time = 0h
      versions-size = 99999999999999GB
      base =
      """
    ])
    #expect(
      settings.faults == [
        "\(Self.user):1: no setting “thme”: theme? option lists them",
        "\(Self.user):2: theme cannot be “drak”: dark? it takes terminal, dark, light, contrast, "
          + "safe, mono, dark-contrast, light-contrast, dark-safe or light-safe",
        "\(Self.user):3: write KEY = VALUE",
        "\(Self.user):5: units stands in line 4 already",
        "\(Self.user):6: serve-time cannot be “0h”: it takes unlimited, or a time as 30m, 8h or 2d",
        "\(Self.user): and 2 more lines like that",
      ])
    #expect(settings[.theme].origin == .builtIn)
    #expect(settings[.units].value == "ft")
    let wrong = Self.settings([:], ["PORTOLAN_SNAP": "vertices"])
    #expect(
      wrong.faults == [
        "PORTOLAN_SNAP in the environment: snap cannot be “vertices”: it takes off, vertex, edge, "
          + "grid or all"
      ])
  }

  @Test func `A file that is too large, no text or no file is told in a line`() {
    let long = String(repeating: "# long\n", count: 10_000)
    #expect(Self.settings([Self.user: long]).faults == ["\(Self.user): is larger than 65536 bytes"])
    let files = MemoryFileSystem(files: [Self.user: [0xEF, 0xBB, 0xBF, 0x75, 0xFF, 0x0A]])
    let settings = Settings(reading: files) { $0 == "HOME" ? "/home/lea" : nil }
    #expect(settings.faults == ["\(Self.user):1: is not UTF-8 text"])
    let folder = MemoryFileSystem(files: [Self.user + "/x": []])
    let other = Settings(reading: folder) { $0 == "HOME" ? "/home/lea" : nil }
    #expect(other.faults == ["\(Self.user): is a folder, not a file"])
  }

  @Test func `Files are named from the folder of the configuration`() {
    func base(_ value: String) -> String {
      Self.settings([Self.user: "base = \(value)"])[.base].value
    }
    #expect(base("my maps/sea.geojson") == "/home/lea/.config/portolan/my maps/sea.geojson")
    #expect(base("~/sea.geojson") == "/home/lea/sea.geojson")
    #expect(base("/maps/sea.geojson") == "/maps/sea.geojson")
    #expect(base("coast") == "coast")
  }

  @Test func `The example file says what is built in`() throws {
    var editor = Editor()
    try editor.run("option --example")
    let lines = editor.desk.help?.lines ?? []
    let text = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? String($0.dropFirst()) : $0 }
    let settings = Self.settings([Self.user: text.joined(separator: "\n")])
    #expect(settings.faults.isEmpty)
    for setting in Setting.all {
      #expect(settings[setting].value.hasSuffix(setting.builtIn), "\(setting.key)")
      #expect(settings[setting].origin != .builtIn, "\(setting.key)")
      #expect(setting.words.allSatisfy(setting.accepts), "\(setting.key)")
    }
  }

  // MARK: Keys

  @Test func `Keys of one's own stand above the usual ones`() throws {
    let texts = [
      Self.user: "keys = keys\n",
      "/home/lea/.config/portolan/keys": "[normal]\nZZ = wq\nd = where ;; place\n",
    ]
    let settings = Self.settings(texts)
    #expect(settings.faults.isEmpty)
    var editor = Editor()
    editor.desk.begin(with: settings)
    let keys = editor.desk.session.keyMap
    let usual = try #require(KeyMap.modal.bindings.keys.first { $0.name == "normal" })
    #expect(keys.match([Key(.character("d"))], in: usual) == .line("where"))
    #expect(keys.match([Key(.character("u"))], in: usual) == .line("undo {count}"))
    try editor.press("d")
    #expect(editor.message.contains("°"))
  }

  @Test(arguments: [
    ("ZZ = wq", 1, "write a mode above it"), ("[normal]\n\nq = qiut", 3, "quit?"),
    ("[normel]\nq = quit", 1, "no mode"), ("[normal]\nq quit", 2, "KEYS = COMMAND"),
  ])
  func `A wrong file of keys leaves the usual ones`(_ text: String, _ line: Int, _ what: String) {
    let settings = Self.settings([Self.user: "keys = /k", "/k": text])
    #expect(settings.keyMap == nil)
    #expect(settings.faults.count == 1)
    let fault = settings.faults.first ?? ""
    #expect(fault.hasPrefix("/k:\(line): ") && fault.contains(what), "\(fault)")
    #expect(fault.hasSuffix("the usual keys hold"))
    let missing = Self.settings([Self.user: "keys = /none"])
    #expect(missing.faults.first?.contains("/none") == true)
  }

  @Test func `The program for other machines has a word`() {
    let blank = Self.settings([:], ["PORTOLAN_SSH": " \t"])
    #expect(blank.sshWords == ["ssh"])
    #expect(blank.faults.count == 1)
    #expect(Self.settings([:], ["PORTOLAN_SSH": " ssh  -4 "]).sshWords == ["ssh", "-4"])
  }

  // MARK: A session

  @Test func `A background that the terminal was not asked for is said to be that of the theme`()
    throws
  {
    for (line, isSaid) in [("theme = light", true), ("theme = contrast", false)] {
      var editor = Editor()
      editor.desk.begin(with: Self.settings([Self.user: line]))
      try editor.run("option theme=terminal")
      #expect(editor.message.hasPrefix("theme = terminal (for this session)"))
      #expect(editor.message.contains("the background is that of light") == isSaid)
    }
  }

  @Test(arguments: ["serve-time = 60m", "serve-time = 24h", "panels = legend,layers"])
  func `Other words for a value are not chosen in the session`(line: String) throws {
    var editor = Editor()
    editor.desk.begin(with: Self.settings([Self.user: line]))
    try editor.run("option \(line.prefix { $0 != " " })")
    #expect(editor.message == "\(line)  (\(Self.user), line 1)")
  }

  @Test func `A session tells and takes settings, and what commands chose`() throws {
    var editor = Editor()
    editor.desk.begin(with: Self.settings([Self.user: "units = km\nfoo = 1\n"]))
    #expect(editor.message.contains("config:2: no setting “foo”"))
    try editor.run("option units")
    #expect(editor.message == "units = km  (\(Self.user), line 1)")
    try editor.run("option units=ft")
    #expect(editor.desk.session.measureUnit == .ft)
    try editor.run("option units")
    #expect(editor.message == "units = ft  (chosen in this session)")
    try editor.run("snap grid")
    try editor.run("option snap")
    #expect(editor.message == "snap = grid  (chosen in this session)")
    try editor.run("option panels = layers, info")
    #expect(editor.desk.panels == [.layers, .info])
    try editor.run("option")
    let lines = editor.desk.help?.lines ?? []
    #expect(lines.contains("panels = layers, info  (chosen in this session)"))
    #expect(lines.last?.contains("no setting “foo”") == true)
    for (line, words) in [
      ("option colour=never", "color?"), ("option theme=drak", "dark?"),
      ("option mouse=no", "write mouse = no into \(Self.user)"),
      ("option theme light", "theme=light"),
    ] {
      let error = #expect(throws: EditingError.self, "\(line)") { try editor.run(line) }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  @Test func `Every setting that a session takes is told as it was taken`() throws {
    for setting in Setting.all {
      guard let change = setting.change, !change.isShared else { continue }
      for word in setting.words where !(setting.key == "base" && word != "none") {
        var editor = Editor()
        try editor.run("option \(setting.key)=\(word)")
        let entry = editor.desk.entry(of: setting)
        #expect(entry.value == word || setting.key == "panels", "\(setting.key)=\(word)")
        #expect(entry.origin == .session, "\(setting.key)=\(word)")
      }
    }
  }

  @Test(arguments: Seeds.some(20))
  func `Any bytes give values that the settings know, and a bounded list of faults`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let pieces = Setting.all.flatMap { [$0.key] + $0.words } + ["=", " = ", "\n", "#", "\u{1B}[2J"]
    for _ in 0..<40 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        if Bool.random(using: &random) {
          bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
        } else {
          bytes.append(UInt8.random(in: 0...255, using: &random))
        }
      }
      let files = MemoryFileSystem(files: [Self.user: bytes])
      let settings = Settings(reading: files) { $0 == "HOME" ? "/home/lea" : nil }
      #expect(settings.faults.count <= 7)
      for setting in Setting.all {
        #expect(setting.accepts(settings[setting].value) || setting.isPath(settings[setting].value))
      }
    }
  }
}
