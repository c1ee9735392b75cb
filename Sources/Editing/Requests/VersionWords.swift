import PortolanFiles
import PortolanKeeping

/// A list of earlier versions, for people and for programs.
enum VersionWords {
  static func lines(_ versions: [SavedVersion], of path: String) -> [String] {
    if versions.isEmpty { return ["no earlier versions of \(InputName.shown(path))"] }
    return versions.map { version in
      let number = "\(version.number)"
      let size = "\(version.size)"
      return String(repeating: " ", count: max(0, 4 - number.count)) + number + "  "
        + TimeText.local(seconds: version.time)
        + String(repeating: " ", count: max(1, 13 - size.count)) + size + " bytes  "
        + version.reason.words
    }
  }

  static func json(_ versions: [SavedVersion]) -> String {
    let items = versions.map { version in
      "{\"number\":\(version.number),\"time\":\(version.time),\"size\":\(version.size),"
        + "\"reason\":\"\(version.reason.rawValue)\",\"digest\":\"\(version.digest)\"}"
    }
    return "[" + items.joined(separator: ",") + "]\n"
  }
}
