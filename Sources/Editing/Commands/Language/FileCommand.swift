import ArgumentParser
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanKeeping

/// A command about files: a verb of the program as well as a line of the editor and of scripts.
///
/// As a verb or in a script it may name the files that it works on. They are opened in a desk
/// of their own, so that the document of the script stays as it is; then `run(in:)` works on that.
package protocol FileCommand: Command {
  /// What to open first; empty works on the desk's own document.
  var inputs: [String] { get }
  /// Whether it has nothing to work on as a verb of the program without an input.
  var needsInput: Bool { get }
  var common: CommonOptions { get }

  /// Throws where it lacks what it needs as a verb of the program, which keeps no document.
  func checkAsVerb() throws

  /// Does what has to wait until all that `run(in:)` asked for was answered.
  func finish(in desk: inout Desk) throws
}

extension FileCommand {
  package var needsInput: Bool { false }

  package func checkAsVerb() throws {}

  package func finish(in desk: inout Desk) throws {}

  /// Says so where files are named in the editor, which works on what is open.
  func refuseInputs(in desk: Desk) throws {
    if !desk.isHeadless, let first = inputs.first {
      throw EditingError(
        .refused, "this works on what is open: :open \(FilePath.quoted(first)) first")
    }
  }
}

/// Options of every verb; the editor and scripts know them too.
package struct CommonOptions: ParsableArguments, Sendable {
  @Flag(name: .shortAndLong, help: "Say nothing but errors.")
  package var quiet = false

  @Flag(name: .shortAndLong, help: "Tell what was odd in the files that were read.")
  package var verbose = false

  package init() {}
}

/// Whether what a command saves is kept among the earlier versions.
package struct VersionOptions: ParsableArguments, Sendable {
  @Flag(help: "Keep no earlier version of what is written or replaced.")
  package var noVersions = false

  package init() {}

  var keeping: VersionKeeping { noVersions ? .none : .all }
}

/// A box in degrees or in the document's own units, as `W,S,E,N`.
package struct BoxArgument: Hashable, Sendable {
  package var west: Double
  package var south: Double
  package var east: Double
  package var north: Double

  /// Reads an argument; throws what is wrong with it.
  package static func read(_ argument: String) throws -> BoxArgument {
    let form = "W,S,E,N, as in 5,50,15,55"
    let numbers = try NumberList.read(argument, count: 4, form: form)
    let box = BoxArgument(
      west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    if box.south > box.north {
      let parts = argument.split(separator: ",")
      throw ValidationError(
        "its south edge, \(parts[1]), is north of its north edge, \(parts[3]); write \(form)")
    }
    return box
  }

  /// As a box; W > E stays so.
  var box: Box { Box(minX: west, minY: south, maxX: east, maxY: north) }

  /// Refuses a box across 180 degrees where there are no degrees.
  func check(in document: Document) throws {
    if west > east, !document.metadata.isGeographic {
      throw EditingError(.usage, "the coordinates are planar: a box is W,S,E,N with W below E")
    }
  }
}

/// A size in cells: `WxH`, or `N` for a square of N columns (half as many rows).
package struct SizeArgument: ExpressibleByArgument, Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init?(argument: String) {
    let numbers = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard let columns = numbers.first ?? nil, (1...4096).contains(columns) else { return nil }
    switch numbers.count {
    case 1: (self.columns, self.rows) = (columns, max(1, columns / 2))
    case 2:
      guard let rows = numbers[1], (1...4096).contains(rows) else { return nil }
      (self.columns, self.rows) = (columns, rows)
    default: return nil
    }
  }
}

/// `yes` or `no`.
package enum YesNo: String, ExpressibleByArgument, CaseIterable, Sendable {
  case yes, no
}
