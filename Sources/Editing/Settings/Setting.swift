/// A setting of the program: its key in the configuration, its values, how a session takes it.
///
/// To add one: a constant in `Setting+Looks.swift` or `Setting+Program.swift`, and its name in
/// `Setting.all`. `portolan option --example` and completion show it then.
package struct Setting: Sendable {
  package let key: String
  /// What it sets, as a sentence.
  package let abstract: String
  /// The values, for people.
  package let values: String
  /// The value without any configuration.
  package let builtIn: String
  /// The values that completion offers.
  let words: [String]
  /// Whether a value is one of its values.
  let accepts: @Sendable (String) -> Bool
  /// Whether a value is the name of a file: relative to the folder of the configuration file.
  var isPath: @Sendable (String) -> Bool = { _ in false }
  /// Whether a document may hold it for all who open it: the looks of a terminal, files and what
  /// the program does beyond the map are not its business.
  var isOfDocuments = false
  /// How a session takes a value; `nil` where only the start of the program does.
  var change: Change?

  /// The way of a setting into a session and back.
  struct Change: Sendable {
    /// Whether it is the workspace's, and not that of one person.
    var isShared = false
    /// A value as a session tells it: two words for one value are the same.
    var normal: @Sendable (String) -> String = { $0 }
    /// The value that the session has now; `nil` where it has not chosen one.
    let present: @Sendable (Desk) -> String?
    let apply: @Sendable (String, inout Desk) throws -> Void
    /// What else to say after a change; `nil` for nothing.
    var remark: @Sendable (Desk) -> String? = { _ in nil }
  }

  /// All settings, in the order of help.
  package static let all: [Setting] = [
    .color, .theme, .blocks, .pictures, .base, .panels, .units, .snap, .mouse, .ask, .keys,
    .versions, .versionsSize, .serve, .serveTime, .hidden, .ssh,
  ]

  /// The setting of a key; `nil` for none.
  package static func named(_ key: String) -> Setting? { all.first { $0.key == key } }

  /// The variable of the environment that sets it: `PORTOLAN_THEME`.
  package var variable: String {
    "PORTOLAN_" + key.uppercased().replacing("-", with: "_")
  }

  /// A setting of some words.
  init(
    _ key: String, _ abstract: String, words: [String], builtIn: String, change: Change? = nil
  ) {
    self.init(
      key, abstract, values: Self.list(words), words: words, builtIn: builtIn, change: change
    ) { words.contains($0) }
  }

  init(
    _ key: String, _ abstract: String, values: String, words: [String] = [], builtIn: String,
    change: Change? = nil, accepts: @escaping @Sendable (String) -> Bool
  ) {
    (self.key, self.abstract, self.values) = (key, abstract, values)
    (self.words, self.builtIn, self.change, self.accepts) = (words, builtIn, change, accepts)
  }

  /// `a, b or c`.
  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Why a value is refused; `nil` if it is not.
  func refusal(of value: String) -> String? {
    if accepts(value) { return nil }
    let near = Spelling.nearest(to: value, among: words)
    return "\(key) cannot be “\(value)”: "
      + (near.isEmpty ? "it takes \(values)" : Spelling.question(near) + "it takes \(values)")
  }

  /// Why a document cannot hold a value; `nil` if it can.
  func refusalOfDocument(_ value: String) -> String? {
    if !isOfDocuments {
      let keys = Self.all.filter(\.isOfDocuments).map(\.key)
      return "\(key) is not kept with documents: \(Self.list(keys)) can be"
    }
    if isPath(value) { return "a document names no file for \(key)" }
    return refusal(of: value)
  }

  /// This setting, for documents to hold.
  func ofDocuments() -> Setting {
    var setting = self
    setting.isOfDocuments = true
    return setting
  }

  /// Advice for a word that is no key.
  static func advice(for key: String) -> String {
    "no setting “\(key)”: " + Spelling.question(Spelling.nearest(to: key, among: all.map(\.key)))
      + "option lists them"
  }
}
