package import PortolanFiles

/// The settings of files and of the environment.
extension Settings {
  /// The name of the file in the folders of the configuration.
  private static let name = "portolan/config"
  /// The most faults that are told of one file.
  private static let faultsMax = 5
  /// The largest file of keys, in bytes.
  private static let keysBytesMax = 256 << 10

  /// Reads the configuration: the machine's files, then the user's, then the environment.
  ///
  /// A missing file is no fault, and no fault ends the program.
  package init(
    reading files: any FileSystem, environment: (String) -> String?,
    kinds: Kinds = .standard
  ) {
    self.init()
    for folder in ConfigFolders.system(environment: environment).reversed() {
      read(FilePath.join(folder, Self.name), files, environment)
    }
    userFile = ConfigFolders.user(environment: environment).map { FilePath.join($0, Self.name) }
    if let userFile { read(userFile, files, environment) }
    for setting in Setting.all {
      guard let value = environment(setting.variable), !value.isEmpty else { continue }
      if let refusal = setting.refusal(of: value) {
        faults.append("\(setting.variable) in the environment: \(refusal)")
      } else {
        set(setting, to: value, by: .environment(setting.variable))
      }
    }
    readKeys(files, kinds)
  }

  private mutating func read(
    _ path: String, _ files: any FileSystem, _ environment: (String) -> String?
  ) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try files.read(path, limit: SettingsText.bytesMax)
    } catch {
      if !error.isNoSuchFile { faults.append("\(FilePath.shown(path)): \(error.what)") }
      return
    }
    let (lines, faults) = SettingsText.lines(bytes)
    for line in lines {
      guard let setting = Setting.named(line.key) else { continue }
      let value =
        setting.isPath(line.value)
        ? Self.resolved(line.value, in: FilePath.folder(of: path), environment) : line.value
      set(setting, to: value, by: .file(path, line: line.number))
    }
    let shown = FilePath.shown(path)
    self.faults += faults.prefix(Self.faultsMax).map { "\(shown):\($0.line): \($0.what)" }
    if faults.count > Self.faultsMax {
      self.faults.append("\(shown): and \(faults.count - Self.faultsMax) more lines like that")
    }
  }

  /// The path of a file that a configuration file names.
  private static func resolved(
    _ path: String, in folder: String, _ environment: (String) -> String?
  ) -> String {
    if path.hasPrefix("~/"), let home = environment("HOME"), FilePath.isAbsolute(home) {
      return FilePath.join(home, String(path.dropFirst(2)))
    }
    return FilePath.isAbsolute(path) ? path : FilePath.join(folder, path)
  }

  /// Reads the file of keys, if one is named: a fault in it leaves the usual keys.
  private mutating func readKeys(_ files: any FileSystem, _ kinds: Kinds) {
    let entry = self[.keys]
    guard Setting.keys.isPath(entry.value) else { return }
    let shown = FilePath.shown(entry.value)
    func leaves(_ what: String) -> String { "\(what): the usual keys hold" }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try files.read(entry.value, limit: Self.keysBytesMax)
    } catch {
      faults.append(leaves("\(shown): \(error.what) (keys, \(entry.origin.words))"))
      return
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      faults.append(leaves("\(shown): is not UTF-8 text"))
      return
    }
    do throws(KeyMapError) {
      keyMap = try OwnKeys.map(of: text, kinds)
    } catch {
      faults.append(leaves("\(shown):\(error.lineNumber): \(error.problem)"))
    }
  }
}

/// Keys of the user above the usual ones.
enum OwnKeys {
  /// The usual keys, with those of a text in their places.
  ///
  /// - Throws: the first line that is wrong.
  static func map(of text: String, _ kinds: Kinds) throws(KeyMapError) -> KeyMap {
    // Its own lines first: their numbers are those of the file.
    let own = try KeyMap(text: text, modes: kinds.modes)
    try check(own, text, kinds)
    return try KeyMap(text: kinds.keyText + "\n" + text, modes: kinds.modes)
  }

  /// - Throws: a binding whose line is no command.
  private static func check(
    _ map: KeyMap, _ text: String, _ kinds: Kinds
  ) throws(KeyMapError) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let first = lines.firstIndex { line in
      let line = SettingsText.trimmed(line)
      return !line.isEmpty && !line.hasPrefix("#")
    }
    if let first, !SettingsText.trimmed(lines[first]).hasPrefix("[") {
      throw KeyMapError(lineNumber: first + 1, problem: "write a mode above it, as [normal]")
    }
    let commands = map.bindings.values.flatMap { $0 }.map(\.line) + map.gestures.values
    for command in Set(commands).sorted() {
      var line = command
      for word in ["{count}", "{column}", "{row}"] { line = line.replacing(word, with: "1") }
      do {
        _ = try Commands.parse(line, among: kinds.commands)
      } catch {
        let what = (error as? EditingError)?.message ?? "\(error)"
        throw KeyMapError(lineNumber: number(of: command, in: text), problem: what)
      }
    }
  }

  /// The first line of a text with a command.
  private static func number(of command: String, in text: String) -> Int {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (lines.firstIndex { $0.contains(" = " + command) } ?? 0) + 1
  }
}
