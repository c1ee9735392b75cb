import Foundation
import Testing

/// What must hold of the structure, read from the sources themselves.
@Suite struct ArchitectureTests {
  /// Each target's floor; a file may import only targets of lower floors.
  static let floors: [String: Int] = [
    "PropertyLists": 0, "Graphics": 0, "Expressions": 0, "Terminals": 0, "Files": 0,
    "CNCurses": -1, "CSystem": -1, "CSQLite": -1, "CProj": -1, "CGEOS": -1,
    "CMemory": -2, "CSockets": -1, "Memory": -1, "Texts": -1, "CCairo": -1, "CBaseMap": -1,
    "Archiving": 1, "Rendering": 1, "Cartography": 1, "CursesTerminal": 1, "Cairo": 1,
    "Databases": 1, "Projections": 1, "Geometries": 1,
    "Documents": 2, "ArchiveInspection": 2, "ArchivingFoundation": 2, "Ports": 2,
    "Interchange": 3, "Keeping": 3,
    "Printing": 4, "Comparing": 4, "Checking": 4,
    "Editing": 5,
    "portolan": 6, "Benchmarks": 6,
  ]

  let tree: SourceTree

  init() throws { tree = try SourceTree.read.get() }

  @Test func `Every source file belongs to a target on a floor`() {
    #expect(tree.files.count > 20)
    for file in tree.files {
      #expect(Self.floors[file.target] != nil, "\(file.path)")
    }
  }

  @Test func `No import points up or sideways`() {
    for file in tree.files {
      let floor = Self.floors[file.target] ?? -1
      for name in file.imports {
        guard let other = Self.floors[name] else { continue }
        #expect(other < floor, "\(file.path) imports \(name)")
      }
    }
  }

  /// A package that depends on us for `Archiving` may have a target called `Files`.
  @Test func `Only library products have names that other packages may want`() {
    let products = [
      "PropertyLists", "Archiving", "ArchivingFoundation", "ArchiveInspection", "Ports",
    ]
    for file in tree.files {
      for module in file.modules where Self.floors[module] != nil {
        #expect(products.contains(module), "\(file.path) imports \(module)")
      }
    }
  }

  @Test(arguments: [
    ("CNCurses", ["CursesTerminal"]),
    ("CSystem", ["CursesTerminal", "Files", "portolan"]),
    ("CMemory", ["Archiving", "Memory", "PropertyLists"]),
    ("CSockets", ["Ports"]),
    ("Memory", ["Archiving", "PropertyLists"]),
    ("CCairo", ["Cairo"]),
    ("CSQLite", ["Databases"]),
    ("CProj", ["Projections"]),
    ("CGEOS", ["Geometries"]),
    ("CBaseMap", ["portolan", "Benchmarks"]),
    ("Glibc", ["CursesTerminal", "Files", "Graphics", "portolan", "Benchmarks"]),
    ("Foundation", ["Benchmarks", "ArchivingFoundation"]),
    // Else Foundation would come into the program with it.
    ("ArchivingFoundation", []),
    ("ArgumentParser", ["Editing", "portolan"]),
  ])
  func `Only the targets that may touch a system module import it`(
    module: String, allowed: [String]
  ) {
    for file in tree.files where file.imports.contains(module) {
      #expect(allowed.contains(file.target), "\(file.path) imports \(module)")
    }
  }

  @Test func `Files have at most 500 lines and lines at most 100 columns`() {
    for file in tree.files {
      #expect(file.lines.count <= 501, "\(file.path) has \(file.lines.count) lines")
      for (number, line) in file.lines.enumerated()
      // A count of characters is slow.
      where line.utf8.count > 100 && line.count > 100 {
        Issue.record("\(file.path):\(number + 1) has \(line.count) columns")
      }
    }
  }

  @Test func `Only their list names commands`() {
    let folder = "Editing/Commands/"
    let isOfEngine = { (path: String) in
      path.hasPrefix("Editing/")
        && (!path.hasPrefix(folder) || path.hasPrefix(folder + "Language/"))
        && path != folder + "Language/Commands.swift"
    }
    var commands = Set<String>()
    for file in tree.files where file.path.hasPrefix(folder) {
      for line in file.lines where line.hasPrefix("package struct ") && line.contains("Command {") {
        commands.insert(String(line.dropFirst(15).prefix { $0 != ":" }))
      }
    }
    #expect(commands.count > 70)
    for file in tree.files where isOfEngine(file.path) {
      let isText = file.path.contains("KeyMap+") || file.path.hasSuffix("HTMLPage.swift")
      if isText { continue }
      for (number, line) in file.lines.enumerated() {
        // Every other piece between quotes is text.
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        let code = stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined(separator: " ")
        let words = (code.firstRange(of: "//").map { code[..<$0.lowerBound] } ?? code[...])
          .split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        for word in words where commands.contains(String(word)) {
          Issue.record("\(file.path):\(number + 1) names \(word)")
        }
      }
    }
  }

  @Test func `Functions have at most 70 lines`() {
    for file in tree.files {
      var starts: [(line: Int, indent: Int)] = []
      for (number, line) in file.lines.enumerated() {
        let indent = line.prefix { $0 == " " }.count
        let text = line.dropFirst(indent)
        if text.hasPrefix("}"), let start = starts.last, start.indent == indent {
          #expect(
            number - start.line <= 70, "\(file.path):\(start.line + 1) is \(number - start.line)")
          starts.removeLast()
        }
        if text.contains("func ") || text.hasPrefix("init") || text.contains(" init("),
          !text.hasPrefix("//")
        {
          if let last = starts.last, last.indent >= indent { starts.removeLast() }
          starts.append((number, indent))
        }
      }
    }
  }

  @Test(arguments: [
    "try!", " as! ", "fatalError(", "nonisolated(unsafe)", "TODO", "FIXME",
    ".shared", "static var ",
  ])
  func `Nothing in the product traps on purpose or holds global state`(idiom: String) {
    for file in tree.files where file.target != "Benchmarks" {
      for (line, code) in file.code(containing: idiom) {
        // A computed `static var … {` holds nothing.
        if idiom == "static var ", code.contains("{") || isProtocolRequirement(code) { continue }
        Issue.record("\(file.path):\(line) has \(idiom)")
      }
    }
  }

  /// The targets that read bytes from outside.
  static let readers: Set<String> = [
    "PropertyLists", "Archiving", "ArchivingFoundation", "ArchiveInspection", "Documents",
    "Interchange", "Keeping", "Files", "Expressions", "Checking", "Ports",
  ]

  @Test(arguments: [
    "precondition(", "preconditionFailure(", "assert(", "assertionFailure(", " abs(", "(abs(",
    "uniqueKeysWithValues", "unsafelyUnwrapped", "unowned(unsafe)", "reader.bytes[",
  ])
  func `Readers of outside bytes use nothing that traps on a bad value`(idiom: String) {
    // The writer's preconditions are about the caller, never about bytes.
    let writers = ["BinaryPropertyListWriter", "BinaryPropertyListLayout"]
    for file in tree.files where Self.readers.contains(file.target) {
      if writers.contains(where: { file.path == "PropertyLists/\($0).swift" }) { continue }
      for (line, _) in file.code(containing: idiom) {
        Issue.record("\(file.path):\(line) has \(idiom)")
      }
    }
  }

  @Test func `Readers of outside bytes never unwrap by force`() {
    for file in tree.files where Self.readers.contains(file.target) {
      for (number, line) in file.lines.enumerated()
      where line.utf8.contains(UInt8(ascii: "!")) && forcesUnwrapping(line) {
        Issue.record("\(file.path):\(number + 1) unwraps by force")
      }
    }
  }

  /// Whether an exclamation mark stands right behind a value, outside strings and comments.
  private func forcesUnwrapping(_ line: Substring) -> Bool {
    var isQuoted = false
    var last: Character = " "
    let characters = Array(line)
    for (index, character) in characters.enumerated() {
      if character == "\"", last != "\\" { isQuoted.toggle() }
      if !isQuoted {
        if character == "/", last == "/" { return false }
        let next = index + 1 < characters.count ? characters[index + 1] : " "
        let followsValue = last.isLetter || last.isNumber || last == "_" || ")]".contains(last)
        if character == "!", next != "=", followsValue { return true }
      }
      last = character
    }
    return false
  }

  @Test func `Unchecked sendability stands only where it is listed with its reason`() {
    let listed = Self.uncheckedSendable
    for file in tree.files {
      for line in file.lines where line.contains("@unchecked Sendable") {
        #expect(listed[file.path] != nil, "\(file.path): list it here with its reason")
      }
    }
    for path in listed.keys {
      let file = tree.files.first { $0.path == path }
      #expect(
        file?.lines.contains { $0.contains("@unchecked Sendable") } == true,
        "\(path) is listed but has none")
    }
  }

  /// Where `@unchecked Sendable` is allowed, and why.
  static let uncheckedSendable: [String: String] = [
    "Archiving/Ports/HandedOver.swift": "an object that one thread at a time uses",
    "PropertyLists/SourcePages.swift": "all of its state is used under its lock",
    "Keeping/DocumentStore+Large.swift": "bytes that one thread at a time reads",
    "Interchange/Formats/GeoJSON/GeoJSONReader+Regions.swift":
      "copies of a reader, which share a text that nothing changes",
    "Archiving/DecodedLinks.swift": "a weak reference, used as an identity only",
    "ArchivingFoundation/MainActorCoding.swift": "a coder that stays on its thread",
  ]

  /// The model changes, a shipped migration never does: so it knows names on disk only.
  @Test func `No migration names a type of the model`() {
    let documents = tree.files.filter { ["Documents", "Graphics"].contains($0.target) }
    let migrations = documents.filter { $0.path.hasPrefix("Documents/Migrations/") }
    let own = Set(migrations.flatMap(\.types) + ["CountText"])
    let model = Set(documents.flatMap(\.types)).subtracting(own)
    #expect(model.isSuperset(of: ["Document", "FeatureBlock", "MapView", "Style", "Coordinate"]))
    for file in migrations {
      for word in file.words where model.contains(word.text) {
        Issue.record("\(file.path):\(word.line) names \(word.text)")
      }
    }
  }

  /// Kinds of layers and views by their files: `Layers/GridLayer.swift` is `GridLayer`.
  private func kinds() -> Set<String> {
    Set(
      tree.files.filter {
        $0.path.hasPrefix("Documents/Layers/") || $0.path.hasPrefix("Documents/Views/")
      }
      .compactMap { $0.path.split(separator: "/").last?.dropLast(".swift".count) }
      .filter { !$0.contains("+") }.map(String.init))
  }

  /// What a kind of layer or view can is asked, not what it is: so another one is one new file.
  @Test func `Kinds of layers and views are named in their files, lists and importers only`() {
    let kinds = kinds()
    #expect(kinds.isSuperset(of: ["FeatureLayer", "GroupLayer", "MapView", "LegendView"]))
    let places = [
      "Documents/Layers/", "Documents/Views/", "Documents/LayerKinds.swift",
      "Documents/ViewKinds.swift", "Benchmarks/",
    ]
    for file in tree.files where !places.contains(where: { file.path.hasPrefix($0) }) {
      let isImporter =
        file.path.hasPrefix("Interchange/Formats/")
        && (file.path.hasSuffix("Reader.swift")
          || file.lines.contains { $0.contains(": Importer") || $0.contains(": PartImporter") })
      if isImporter || !kinds.contains(where: file.contains) { continue }
      for word in file.words where kinds.contains(word.text) {
        Issue.record("\(file.path):\(word.line) names \(word.text)")
      }
    }
  }

  /// The words and endings of formats stand with the formats; their lists are asked for them.
  @Test func `Each format stands in one list and shows an example of its output`() {
    let lists = ["Interchange/FileFormat.swift", "Printing/PictureFormat.swift"]
    let formats = ["Interchange", "Editing"]
    for file in tree.files where formats.contains(file.target) {
      let declarations = file.lines.filter { line in
        line.contains("struct ")
          && [": Importer", ": Exporter", ": PictureFormat"].contains { line.contains($0) }
      }
      for line in declarations {
        let name = line.split(separator: " ").drop { $0 != "struct" }.dropFirst().first ?? ""
        let type = name.prefix { $0 != ":" }
        let isListed = tree.files.filter { lists.contains($0.path) }.flatMap(\.lines)
          .contains { $0.contains(type + "(") || $0.contains(type + ".") }
        #expect(isListed, "\(file.path): \(type) is in no list")
        #expect(
          file.lines.contains { $0.hasPrefix("///     ") }, "\(file.path) shows no example")
      }
    }
  }

  @Test func `The repository's top level holds only what it should`() throws {
    let allowed: Set<String> = [
      "Package.swift", "Sources", "Tests", "Docs", "README.md", "LICENSE",
    ]
    for path in try output(of: ["git", "ls-files"], in: "") {
      let top = String(path.prefix { $0 != "/" })
      #expect(top.hasPrefix(".") || allowed.contains(top), "\(top)")
    }
  }

  /// A fixture of a shipped version never changes: a new one is a new line of `SHA256SUMS`.
  @Test func `Every fixture is the file that was shipped`() throws {
    let folder = SourceTree.root.appendingPathComponent("Tests/Fixtures")
    let sums = try String(
      contentsOf: folder.appendingPathComponent("SHA256SUMS"), encoding: .utf8)
    let listed = sums.split(separator: "\n")
    let paths = try output(of: ["git", "ls-files"], in: "Tests/Fixtures")
      .filter { !["README.md", "SHA256SUMS"].contains($0) }
    #expect(Set(listed.compactMap { $0.split(separator: " ").last }) == Set(paths))
    #expect(try output(of: ["sha256sum"] + paths.map(String.init), in: "Tests/Fixtures") == listed)
  }

  /// The lines that a command prints in a folder of the repository.
  private func output(of command: [String], in folder: String) throws -> [Substring] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = SourceTree.root.appendingPathComponent(folder)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = Pipe()
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }

  private func isProtocolRequirement(_ code: Substring) -> Bool {
    code.contains("{ get")
  }
}
