import Foundation
import PortolanTerminals
import Testing

/// Compares text with a file beside the tests; `UPDATE_GOLDENS=1` writes the file and fails.
enum Golden {
  static func check(
    _ name: String, _ frame: Frame, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = frame.plainText().split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0.reversed().drop { $0 == " " }.reversed()) }
      .joined(separator: "\n")
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Goldens")
    let file = folder.appendingPathComponent(name + ".txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("\(name).txt was written anew", sourceLocation: sourceLocation)
      return
    }
    let stored = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    #expect(
      stored == text, "UPDATE_GOLDENS=1 swift test writes it anew", sourceLocation: sourceLocation)
  }

  /// The backgrounds of a frame as text: `#` where a cell has one.
  static func backgrounds(_ frame: Frame) -> Frame {
    var result = Frame(size: frame.size)
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns where !frame[column, row].style.background.isStandard {
        result[column, row] = Cell(glyph: Glyph("#"))
      }
    }
    return result
  }
}
