internal import PortolanCSockets

/// Names under which programs of one user find each other: sockets in a folder.
///
///     let services = PortServices(folder: "/run/user/1000/maps")
///     let listener = try services.listen("editor") { _ in map }
///     …
///     let connection = try services.connect("editor")
public struct PortServices: Hashable, Sendable {
  /// The folder; it is made when the first name is taken.
  public let folder: String

  /// The services of a folder, which must be the user's own.
  public init(folder: String) { self.folder = folder }

  /// The path of a service.
  ///
  /// - Throws: `PortError` of the code `misuse` for a name that is empty, longer than 80 bytes,
  ///   begins with a full stop, ends in `.lock`, or has a slash or a control in it.
  public func path(of name: String) throws -> String {
    guard !name.isEmpty, name.utf8.count <= 80, !name.hasPrefix("."), !name.hasSuffix(".lock"),
      !name.unicodeScalars.contains(where: { $0 == "/" || PortGreeting.isControl($0) })
    else { throw PortError(.misuse, "no name of a service: it has 1 to 80 plain characters") }
    return folder + "/" + name
  }

  /// Takes a name.
  public func listen(
    _ name: String, options: PortOptions = PortOptions(),
    root: @escaping @Sendable (PortConnection) -> (any Vended)?
  ) throws -> PortListener {
    try PortListener(at: path(of: name), options: options, root: root)
  }

  /// Connects to the service of a name.
  public func connect(
    _ name: String, root: (any Vended)? = nil, options: PortOptions = PortOptions()
  ) throws -> PortConnection {
    try PortConnection(to: path(of: name), root: root, options: options)
  }

  /// The names whose programs live, sorted.
  public func names() -> [String] {
    files.filter { name in
      guard let path = try? path(of: name) else { return false }
      return portolan_socket_is_locked(path + ".lock") == 1
    }
    .sorted()
  }

  /// Removes the sockets and lock files that killed programs have left.
  package func clear() {
    let names = Set(files.map { $0.hasSuffix(".lock") ? String($0.dropLast(5)) : $0 })
    for name in names {
      guard let path = try? path(of: name), portolan_socket_is_locked(path + ".lock") == 0 else {
        continue
      }
      // Whoever holds the lock alone may remove what stands beside it.
      let lock = portolan_socket_lock(path + ".lock")
      guard lock >= 0 else { continue }
      portolan_socket_remove(path)
      portolan_socket_unlock(lock, path + ".lock")
    }
  }

  /// The names of the files in the folder.
  private var files: [String] {
    var list: UnsafeMutablePointer<CChar>?
    let size = portolan_folder_names(folder, &list)
    defer { portolan_folder_names_free(list) }
    guard size > 0, let list else { return [] }
    let bytes = UnsafeRawBufferPointer(start: list, count: size)
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
