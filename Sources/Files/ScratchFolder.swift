internal import Glibc
internal import PortolanCSystem

/// A folder for the files of one piece of work, which only this user may read.
///
/// It is removed with its files when it is let go, and when a signal ends the program. Its files
/// lie in it directly: a folder inside it is not removed.
package final class ScratchFolder: Sendable {
  /// Its absolute path.
  package let path: String
  private let number: Int32

  /// Makes one in the folder for temporary files (`TMPDIR`, else `/tmp`).
  package init() throws(FileError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let place = FilePath.join(FilePath.isAbsolute(parent) ? parent : "/tmp", "portolan-XXXXXX")
    var template = FilePath.bytes(of: place).map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&template) != nil else {
      throw FileError(call: "mkdtemp", path: place, number: errno)
    }
    path = FilePath.text(of: template.dropLast().map { UInt8(bitPattern: $0) })
    number = portolan_list_folder(template)
  }

  deinit {
    let files = RealFileSystem()
    for name in (try? files.names(in: path)) ?? [] { Self.remove(file(name), isFolder: false) }
    Self.remove(path, isFolder: true)
    portolan_unlist_folder(number)
  }

  /// The path of a file in it.
  package func file(_ name: String) -> String { FilePath.join(path, name) }

  /// Writes a new file.
  package func write(_ bytes: [UInt8], to name: String) throws(FileError) {
    let path = file(name)
    let descriptor = Self.withPath(path) {
      portolan_open(AT_FDCWD, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard descriptor >= 0 else { throw FileError(call: "open", path: path, number: errno) }
    defer { close(descriptor) }
    var (done, number) = (0, Int32(0))
    bytes.withUnsafeBytes { buffer in
      while done < buffer.count, number == 0 {
        let count = Glibc.write(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if count >= 0 {
          done += count
        } else if errno != EINTR {
          number = errno
        }
      }
    }
    if number != 0 { throw FileError(call: "write", path: path, number: number) }
  }

  /// Makes a link to a folder, if it is not there yet; returns its name.
  package func link(to place: String) throws(FileError) -> String {
    let name = "place"
    let done = Self.withPath(place) { place in
      Self.withPath(file(name)) { symlink(place, $0) }
    }
    if done == 0 || errno == EEXIST { return name }
    throw FileError(call: "symlink", path: file(name), number: errno)
  }

  /// How many bytes of its disk are free.
  package var freeCount: Int {
    var status = statvfs()
    let done = Self.withPath(path) { statvfs($0, &status) }
    if done != 0 { return .max }
    let (count, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    return isTooLarge ? .max : count
  }

  /// The bytes of a file.
  package func read(_ name: String) throws(FileError) -> [UInt8] {
    try RealFileSystem().read(file(name), limit: FileSource.bytesMax)
  }

  private static func remove(_ path: String, isFolder: Bool) {
    _ = withPath(path) { isFolder ? rmdir($0) : unlink($0) }
  }

  private static func withPath(_ path: String, _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    let bytes = FilePath.bytes(of: path).map { CChar(bitPattern: $0) } + [0]
    return bytes.withUnsafeBufferPointer { $0.baseAddress.map(body) ?? -1 }
  }
}
