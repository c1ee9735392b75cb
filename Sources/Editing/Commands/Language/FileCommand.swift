import ArgumentParser
package import PortolanDocuments
import PortolanFiles
import PortolanGraphics
package import PortolanInterchange
import PortolanKeeping
package import PortolanPrinting

/// A command about files: a verb of the program as well as a line of the editor and of scripts.
///
/// As a verb or in a script it may name its input files. They are opened in a desk of their own, on
/// which `run(in:)` works, so that the document of the script stays as it is.
package protocol FileCommand: Command {
  /// The files to open first; empty works on the desk's own document.
  var inputs: [String] { get }
  /// Whether the verb of the program needs an input.
  var needsInput: Bool { get }
  var common: CommonOptions { get }
  /// How to read the inputs.
  var reading: (any FormatOptions)? { get }

  /// The parts of its input that it needs, if that is one document: the others are not read.
  ///
  /// By default it needs all. Whoever asks for less reads nothing else.
  var needs: DocumentNeeds { get }

  /// What it will take of its input, if that is one database.
  var wishes: SourceWishes { get }

  /// The same as work that is done in parts, in memory that does not depend on the size of the
  /// input; `nil` if it needs all of the input at once.
  var partExport: PartExport? { get }

  /// The commands that it consists of: one for each input, if they are read apart.
  var parts: [any FileCommand] { get }

  /// The meaning of exit code 1; `nil` if the verb has none.
  static var findings: String? { get }

  /// The options that make its output JSON, one form each: `--format json`.
  static var jsonOptions: [String] { get }

  /// Whether edits that are neither saved nor written out when it ends are findings.
  static var requiresSaving: Bool { get }

  /// Throws if arguments are missing that it needs as a verb of the program, which keeps no
  /// document.
  func checkAsVerb() throws

  /// Does the work that needs the replies to all requests of `run(in:)`.
  func finish(in desk: inout Desk) throws
}

extension FileCommand {
  package static var isVerb: Bool { true }
  package static var findings: String? { nil }
  package static var jsonOptions: [String] { [] }
  package static var requiresSaving: Bool { false }
  package var needsInput: Bool { false }
  package var reading: (any FormatOptions)? { nil }

  package var partExport: PartExport? { nil }
  package var parts: [any FileCommand] { [self] }
  package var needs: DocumentNeeds { .all }
  package var wishes: SourceWishes { SourceWishes() }

  package func checkAsVerb() throws {}

  package func finish(in desk: inout Desk) throws {}

  /// Throws if files are named in the editor, which works on the open document.
  func refuseInputs(in desk: Desk) throws {
    if reading != nil, inputs.isEmpty {
      throw EditingError(
        .refused, "this is told when a table is read: :open FILE --x-column NAME")
    }
    if !desk.isHeadless, let first = inputs.first {
      throw EditingError(
        .refused, "this works on the open document: :open \(FilePath.quoted(first)) first")
    }
  }
}

/// A command about the map in some files, or about the open document.
package protocol MapVerb: FileCommand, WholeMapCommand {
  var map: MapOptions { get }
}

extension MapVerb {
  package var inputs: [String] { map.files }
  package var needsInput: Bool { true }
  package var reading: (any FormatOptions)? { map.columns.reading }
  package var common: CommonOptions { map.common }
}

/// The head of a verb about maps: its files, and the part of them that is meant.
package struct MapOptions: ParsableArguments, Sendable {
  @Argument(
    help: "The files, as one map, the first one lowest; - is standard input.",
    completion: .file())
  var files: [String] = []

  @OptionGroup var condition: WhereOption

  @OptionGroup var columns: ColumnOptions

  @OptionGroup var common: CommonOptions

  package init() {}
}

/// The file that a verb writes.
package struct OutputOptions: ParsableArguments, Sendable {
  @Option(
    name: .shortAndLong, help: "The file to write; - is standard output.", completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Overwrite the output.")
  var force = false

  package init() {}

  /// Throws if a pattern has words in braces that stand for nothing.
  ///
  /// - Parameter places: the words that stand for something.
  static func check(_ pattern: String, places: [String]) throws {
    for part in pattern.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
      guard let end = part.firstIndex(of: "}") else { continue }
      let word = String(part[..<end])
      guard !word.isEmpty, word.allSatisfy({ $0.isLetter || $0 == "_" || $0 == "-" }),
        !places.contains(word)
      else { continue }
      let known = places.map { "{\($0)}" }.joined(separator: " and ")
      throw ValidationError("{\(word)} in the output stands for nothing: there are \(known)")
    }
  }

  /// The output, by default standard output.
  ///
  /// - Throws: where that is the screen, with an example of the command.
  func path(as example: String, in desk: Desk) throws -> String {
    let path = output ?? "-"
    if path == "-", !desk.isHeadless {
      throw EditingError(.refused, "standard output is the screen here: :\(example)")
    }
    return path
  }
}

/// Options of every verb; the editor and scripts know them too.
package struct CommonOptions: ParsableArguments, Sendable {
  @Flag(name: .shortAndLong, help: "Print errors only.")
  package var quiet = false

  @Flag(name: .shortAndLong, help: "Print warnings about the input files.")
  package var verbose = false

  package init() {}
}

/// The byte between the fields of a table: `,`, `;`, `|` or a tab, or its name.
package struct SeparatorArgument: ExpressibleByArgument, Hashable, Sendable {
  package var byte: UInt8

  private static let names: [String: UInt8] = [
    "comma": 0x2C, "semicolon": 0x3B, "tab": 0x09, "bar": 0x7C,
  ]

  package init?(argument: String) {
    let bytes = Array(argument.utf8)
    if let byte = Self.names[argument] {
      self.byte = byte
    } else if bytes.count == 1, Self.names.values.contains(bytes[0]) {
      byte = bytes[0]
    } else {
      return nil
    }
  }

  package static let allValueStrings = ["comma", "semicolon", "tab", "bar"]
}

/// Whether saves of a command are kept among the earlier versions.
package struct VersionOptions: ParsableArguments, Sendable {
  @Flag(help: "Keep no earlier version of written and replaced files.")
  package var noVersions = false

  package init() {}

  var keeping: VersionKeeping { noVersions ? .none : .all }

  /// The same, unless the session keeps none.
  func keeping(in desk: Desk) -> VersionKeeping { desk.session.keepsVersions ? keeping : .none }
}

/// A box in degrees or in the document's own units, as `W,S,E,N`.
package struct BoxArgument: Hashable, Sendable {
  package var west: Double
  package var south: Double
  package var east: Double
  package var north: Double

  /// Parses an argument; throws the reason if it is invalid.
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

  /// Throws for a box across 180 degrees if the document has no degrees, and for one beyond a
  /// pole if it has.
  func check(in document: Document) throws {
    if document.metadata.isGeographic, let beyond = [south, north].first(where: { abs($0) > 90 }) {
      throw EditingError(
        .usage,
        "a box is W,S,E,N in degrees, and the latitude \(Figures.short(beyond, decimals: 6)) is "
          + "beyond 90")
    }
    if west > east, !document.metadata.isGeographic {
      throw EditingError(.usage, "the coordinates are planar: a box is W,S,E,N with W below E")
    }
  }

  /// Throws for a box that no map can be fitted to: a single place.
  func checkExtent() throws {
    guard west == east, south == north else { return }
    throw EditingError(
      .usage, "the box has no extent, it is one place: give --center LON,LAT with --zoom")
  }
}

/// The size of a picture: `WxH` in its format's unit, `WxHmm` on paper, or `N` for the width alone.
package struct SizeArgument: ExpressibleByArgument, Hashable, Sendable {
  private var width: Int
  private var height: Int?
  private var isMillimetres = false

  package init?(argument: String) {
    var text = argument[...]
    if text.hasSuffix("mm") {
      isMillimetres = true
      text = text.dropLast(2)
    }
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard let width = numbers.first ?? nil, width > 0 else { return nil }
    self.width = width
    switch numbers.count {
    case 1 where !isMillimetres: height = nil
    case 2:
      guard let height = numbers[1], height > 0 else { return nil }
      self.height = height
    default: return nil
    }
  }

  /// The size in a format's unit; a width alone gives a map twice as wide as high in cells, and of
  /// three to two in pixels.
  ///
  /// - Throws: for a size that no picture can have.
  package func size(in unit: PictureSize.Unit) throws -> PictureSize {
    let limit = PictureSize.limit(of: unit)
    switch (unit, isMillimetres) {
    case (.cells, true):
      throw EditingError(.usage, "text has no millimetres: give --size in cells, as in 120x40")
    case (.pixels, true):
      let height = height ?? width
      guard max(width, height) <= 5000 else {
        throw EditingError(.usage, "--size: a page is at most 5000mm wide and high")
      }
      return PictureSize(
        Self.pixels(width), Self.pixels(height), .pixels,
        millimetres: PictureSize.Millimetres(width: width, height: height))
    case (_, false):
      guard max(width, height ?? 1) <= limit else {
        let what = unit == .cells ? "cells" : "pixels"
        throw EditingError(.usage, "--size: a picture is at most \(limit) \(what) wide and high")
      }
      let usual = unit == .cells ? width / 2 : width * 2 / 3
      return PictureSize(width, height ?? max(1, usual), unit)
    }
  }

  private static func pixels(_ millimetres: Int) -> Int {
    Int((Double(millimetres) * 96 / 25.4).rounded())
  }
}

/// `yes` or `no`.
package enum YesNo: String, ExpressibleByArgument, CaseIterable, Sendable {
  case yes, no
}
