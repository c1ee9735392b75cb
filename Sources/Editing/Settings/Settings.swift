import PortolanDocuments
import PortolanFiles
package import PortolanTerminals

/// The values of all settings, and where each comes from.
///
/// The first of these decides: the session, an option of the command line, the environment, the
/// document, the user's file, the machine's file, the program itself.
package struct Settings: Sendable {
  /// Where a value comes from.
  package enum Origin: Hashable, Sendable {
    case builtIn
    /// A line of a configuration file.
    case file(String, line: Int)
    /// The document that is shown.
    case document
    /// A variable of the environment.
    case environment(String)
    /// An option of the command line.
    case option(String)
    /// A command of the session.
    case session

    package var words: String {
      switch self {
      case .builtIn: "built in"
      case .file(let path, let line): "\(FilePath.shown(path)), line \(line)"
      case .document: "kept with the document"
      case .environment(let name): "\(name) in the environment"
      case .option(let name): "\(name) of the command line"
      case .session: "chosen in this session"
      }
    }

    /// Whether a document decides before it.
    var isBelowDocuments: Bool {
      switch self {
      case .builtIn, .file: true
      case .document, .environment, .option, .session: false
      }
    }
  }

  package struct Entry: Hashable, Sendable {
    package var value: String
    package var origin: Origin
  }

  private var entries: [String: Entry] = [:]
  /// What the document that is shown holds, whether it is taken or not.
  var document: [String: String] = [:]
  /// The faults of the files and the environment, a line each.
  package internal(set) var faults: [String] = []
  /// The user's file, whether it exists or not; `nil` if its folder is not known.
  package internal(set) var userFile: String?
  /// The keys of the user; `nil` for the usual ones.
  package internal(set) var keyMap: KeyMap?

  /// The built-in values.
  package init() {}

  package subscript(_ setting: Setting) -> Entry {
    let entry = entries[setting.key] ?? Entry(value: setting.builtIn, origin: .builtIn)
    guard entry.origin.isBelowDocuments, let value = document[setting.key],
      setting.refusalOfDocument(value) == nil
    else { return entry }
    return Entry(value: value, origin: .document)
  }

  /// Sets a value above all former ones.
  package mutating func set(_ setting: Setting, to value: String, by origin: Origin) {
    entries[setting.key] = Entry(value: value, origin: origin)
  }
}

/// The values as the program uses them.
extension Settings {
  package var colour: ColourChoice { ColourChoice(rawValue: self[.color].value) ?? .auto }
  package var theme: Theme? { Theme(self[.theme].value) }
  package var blocks: BlockChoice { BlockChoice(rawValue: self[.blocks].value) ?? .auto }
  package var pictures: PictureChoice { PictureChoice(rawValue: self[.pictures].value) ?? .auto }
  package var base: BaseChoice { BaseChoice(word: self[.base].value) }
  package var usesMouse: Bool { self[.mouse].value == "yes" }
  package var asks: Bool { self[.ask].value == "yes" }
  package var keepsVersions: Bool { self[.versions].value == "yes" }
  /// The room for earlier versions, in bytes.
  package var versionsBytesMax: Int { SettingSize.bytes(self[.versionsSize].value) ?? 1 << 30 }
  package var isAlwaysServed: Bool { self[.serve].value == "always" }
  /// How long a workspace stays without a terminal, in seconds; `nil` without a limit.
  package var staySeconds: Double? { SettingTime.seconds(self[.serveTime].value) ?? nil }
  package var isPrivate: Bool { self[.hidden].value == "yes" }
  /// The words of the program that reaches other machines.
  package var sshWords: [String] {
    self[.ssh].value.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}

extension Session {
  /// Begins with settings, but for those of the terminal and the base map.
  mutating func begin(with settings: Settings) {
    self.settings = settings
    begunTheme = settings.theme
    panels = Panels(words: settings[.panels].value) ?? .all
    measureUnit = MeasureUnit(rawValue: settings[.units].value) ?? .metric
    snap = SnapMode(rawValue: settings[.snap].value) ?? .vertex
    keepsVersions = settings.keepsVersions
    if let keyMap = settings.keyMap { self.keyMap = keyMap }
  }
}

extension Desk {
  /// Begins with the settings of the program.
  package mutating func begin(with settings: Settings) {
    session.begin(with: settings)
    session.base.choice = settings.base
    sharing.staySeconds = settings.staySeconds
    session.untoldFaults = settings.faults
    tellFaults()
  }

  /// Warns of the faults of the configuration, beside the present message.
  private mutating func tellFaults() {
    guard let first = session.untoldFaults.first else { return }
    let more = session.untoldFaults.count - 1
    warn(first + (more > 0 ? " (and \(more) more: option)" : ""))
  }

  /// The same once more beside the first message about a document, which takes its place.
  mutating func tellFaultsAgain() {
    tellFaults()
    session.untoldFaults = []
  }

  /// Takes the settings of the document that is shown, where the person has not chosen others.
  mutating func takeDocumentSettings() {
    let former = Setting.all.filter(\.isOfDocuments).map { (setting: $0, entry: entry(of: $0)) }
    let message = session.message
    session.settings.document = document.metadata.settings
    // Commands of other programs tell settings, and have no looks.
    for (setting, entry) in former where entry.origin != .session && !isHeadless {
      let value = session.settings[setting].value
      if value != entry.value { try? setting.change?.apply(value, &self) }
    }
    // Messages of the settings do not replace one about the document.
    session.message = message
  }

  /// The value of a setting in this session, and where it comes from.
  func entry(of setting: Setting) -> Settings.Entry {
    let entry = session.settings[setting]
    // Commands without an editor leave the looks of a session alone.
    guard let change = setting.change, !isHeadless || change.isShared,
      let present = change.present(self), present != change.normal(entry.value)
    else { return entry }
    return Settings.Entry(value: present, origin: .session)
  }
}
