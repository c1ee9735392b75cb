/// The folders where packages install data for programs (XDG Base Directory Specification).
package enum DataFolders {
  /// Further folders of the environment are not looked at.
  private static let foldersMax = 32

  /// The possible paths of a data file, the first one first: in `$XDG_DATA_HOME`
  /// (`~/.local/share`), then in the folders of `$XDG_DATA_DIRS` (`/usr/local/share:/usr/share`).
  ///
  /// - Parameter name: relative to a folder, such as `portolan/base-50m.doc`.
  package static func paths(of name: String, environment: (String) -> String?) -> [String] {
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    let home =
      value("XDG_DATA_HOME") ?? value("HOME").map { FilePath.join($0, ".local/share") }
    let others = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
    let folders = [home].compactMap { $0 } + others.map(String.init)
    return folders.filter(FilePath.isAbsolute).prefix(foldersMax).map { FilePath.join($0, name) }
  }
}
