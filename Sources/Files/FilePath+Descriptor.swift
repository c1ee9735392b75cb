extension FilePath {
  /// Whether a path names an open descriptor, as shells give for `<(command)`: its pipe was handed
  /// over, and was not planted under a name.
  package static func isDescriptor(_ path: String) -> Bool {
    ["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
  }
}
