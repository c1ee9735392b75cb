/// The settings of the terminal's use, of files and of sharing.
extension Setting {
  private static let yesNo = YesNo.allCases.map(\.rawValue)

  package static let mouse = Setting(
    "mouse", "Whether the editor takes the mouse; no leaves it to the terminal.", words: yesNo,
    builtIn: "yes")

  package static let ask = Setting(
    "ask", "Whether the terminal is asked for its abilities.", words: yesNo, builtIn: "yes")

  package static let keys: Setting = {
    var setting = Setting(
      "keys", "A file with keys of your own; none keeps the usual ones.",
      values: "none or the name of a file", words: ["none"], builtIn: "none"
    ) { !$0.isEmpty }
    setting.isPath = { $0 != "none" }
    return setting
  }()

  package static let versions = Setting(
    "versions", "Whether saves keep the earlier versions of a document.", words: yesNo,
    builtIn: "yes",
    change: Change(
      present: { $0.session.keepsVersions ? "yes" : "no" },
      apply: { value, desk in desk.session.keepsVersions = value == "yes" }))

  package static let versionsSize = Setting(
    "versions-size", "The room for the earlier versions of all documents.",
    values: "a size, as 500MB or 2GiB", words: ["500MB", "1GiB", "10GiB"], builtIn: "1GiB"
  ) { SettingSize.bytes($0) != nil }

  package static let serve = Setting(
    "serve", "Whether documents stay open when their terminal goes, as after serve.",
    words: ["asked", "always"], builtIn: "asked",
    change: Change(
      isShared: true,
      present: { $0.sharing.stays ? "always" : "asked" },
      apply: { value, desk in
        guard value == "always" else {
          desk.sharing.stays = false
          return
        }
        try desk.keepServed()
      }))

  package static let serveTime = Setting(
    "serve-time", "How long served documents stay open while no terminal shows them.",
    values: "unlimited, or a time as 30m, 8h or 2d", words: ["unlimited", "30m", "8h", "2d"],
    builtIn: SettingTime.unlimited,
    change: Change(
      isShared: true,
      normal: { SettingTime.words(SettingTime.seconds($0) ?? nil) },
      present: { SettingTime.words($0.sharing.staySeconds) },
      apply: { value, desk in desk.sharing.staySeconds = SettingTime.seconds(value) ?? nil })
  ) { SettingTime.seconds($0) != nil }

  package static let hidden = Setting(
    "private", "Whether no other terminal may join.", words: yesNo, builtIn: "no")

  package static let ssh = Setting(
    "ssh", "The program, with its options, that reaches other machines.",
    values: "a program with its options", words: ["ssh"], builtIn: "ssh"
  ) { !$0.allSatisfy(\.isWhitespace) }
}

/// Times of settings: `30m`.
enum SettingTime {
  static let unlimited = "unlimited"
  private static let units: [(letter: Character, seconds: Int)] = [
    ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]
  /// Ten years.
  private static let secondsMax = 3_650 * 86_400

  /// The seconds of a time, inside `nil` for an unlimited one; `nil` for other words.
  static func seconds(_ text: String) -> Double?? {
    if text == unlimited { return .some(nil) }
    guard let unit = units.first(where: { $0.letter == text.last }),
      let count = SettingNumber.whole(text.dropLast()), count > 0,
      count <= secondsMax / unit.seconds
    else { return nil }
    return .some(Double(count * unit.seconds))
  }

  /// A time in its greatest whole unit.
  static func words(_ seconds: Double?) -> String {
    guard let seconds, let count = Int(exactly: seconds.rounded()), count > 0 else {
      return unlimited
    }
    let unit = units.first { count % $0.seconds == 0 } ?? ("s", 1)
    return "\(count / unit.seconds)\(unit.letter)"
  }
}

/// Sizes of settings: `2GiB`.
enum SettingSize {
  private static let units: [(name: String, bytes: Int)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
  ]

  /// The bytes of a size; `nil` for other words.
  static func bytes(_ text: String) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let count = SettingNumber.whole(text.dropLast(unit.name.count))
    else { return nil }
    let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: unit.bytes)
    return isTooLarge ? nil : bytes
  }
}

enum SettingNumber {
  /// A whole number of digits alone; `nil` for other texts.
  static func whole(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
