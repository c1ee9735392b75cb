/// The folders of the configuration of programs (XDG Base Directory Specification).
package enum ConfigFolders {
  /// Further folders of the environment are not looked at.
  private static let foldersMax = 32

  /// The user's folder, `$XDG_CONFIG_HOME` or `~/.config`; `nil` if neither is known.
  package static func user(environment: (String) -> String?) -> String? {
    if let folder = environment("XDG_CONFIG_HOME"), FilePath.isAbsolute(folder) { return folder }
    guard let home = environment("HOME"), FilePath.isAbsolute(home) else { return nil }
    return FilePath.join(home, ".config")
  }

  /// The machine's folders, the first one first: those of `$XDG_CONFIG_DIRS`, else `/etc/xdg`.
  package static func system(environment: (String) -> String?) -> [String] {
    let list = environment("XDG_CONFIG_DIRS").flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
    return list.split(separator: ":").map(String.init).filter(FilePath.isAbsolute)
      .prefix(foldersMax).map { $0 }
  }
}
