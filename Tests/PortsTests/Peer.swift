import Foundation
import Testing

/// A program in Python at the other end.
final class Peer {
  private let process = Process()
  private let output = Pipe()

  /// `python3`, where there is one.
  static let python: String? = {
    let named = ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"]
    return [named, "/usr/bin/python3"].compactMap { $0 }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// The second implementation, beside this file.
  static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("ports.py").path

  init(_ part: String, _ path: String) throws {
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = [Self.script, part, path]
    process.standardOutput = output
    try process.run()
  }

  deinit { signal(SIGKILL) }

  /// Its next line of output, waiting for it.
  func line() -> String {
    var bytes = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
      if byte[0] == UInt8(ascii: "\n") { break }
      bytes += byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// All lines up to its end.
  func lines() -> [String] {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func signal(_ number: Int32) { if process.isRunning { kill(process.processIdentifier, number) } }
}

/// A folder for the sockets of one test.
final class SocketFolder {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("ports-\(UInt32.random(in: 0 ... .max))").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func mode(_ name: String = "") throws -> Int {
    let item = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return try #require(item[.posixPermissions] as? Int)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }
}
