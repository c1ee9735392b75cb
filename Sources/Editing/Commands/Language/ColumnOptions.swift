import ArgumentParser
package import PortolanInterchange

/// How a file is read where its name and its text do not tell.
package struct ColumnOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The form of the input, whatever its name says: geojson, csv, wkt, gpkg, kml …",
      valueName: "format"),
    completion: .list(FileFormats.importers.map(\.name)))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "The coordinate system that the numbers of the input are in, whatever it says.",
      valueName: "EPSG:CODE"),
    transform: SystemArgument.read)
  var inputCrs: SystemArgument?

  @Option(
    help: ArgumentHelp("Of a table: the column of longitudes or x.", valueName: "name"))
  var xColumn: TextArgument?

  @Option(help: ArgumentHelp("Of a table: the column of latitudes or y.", valueName: "name"))
  var yColumn: TextArgument?

  @Option(help: ArgumentHelp("Of a table: the column of well-known text.", valueName: "name"))
  var wktColumn: TextArgument?

  @Option(
    help: ArgumentHelp(
      "Of a table: the column of pairs, latitude first: (37.8, -122.4).", valueName: "name"))
  var pointColumn: TextArgument?

  @Flag(help: "Of a table: it holds no positions, only attributes.")
  var noPositions = false

  @Option(help: ArgumentHelp("Of a table: the column of the features' ids.", valueName: "name"))
  var idColumn: TextArgument?

  @Option(
    help: ArgumentHelp(
      "Of a table: the encoding of its text, as windows-1252 or utf-16.", valueName: "name"),
    transform: EncodingArgument.read)
  var encoding: EncodingArgument?

  @Option(
    help: ArgumentHelp(
      "Of a table: the field separator: comma, semicolon, tab, bar or a character.",
      valueName: "sign"))
  var inputSeparator: InputSeparatorArgument?

  package init() {}

  package func validate() throws {
    let ways = [
      xColumn != nil || yColumn != nil, wktColumn != nil, pointColumn != nil, noPositions,
    ]
    if ways.count(where: { $0 }) > 1 {
      throw ValidationError(
        "--x-column, --wkt-column, --point-column and --no-positions exclude each other")
    }
  }

  package var reading: (any FormatOptions)? {
    var options = TableOptions(
      xColumn: xColumn?.text, yColumn: yColumn?.text, idColumn: idColumn?.text,
      textColumn: wktColumn?.text, pointColumn: pointColumn?.text, encoding: encoding?.encoding,
      separator: inputSeparator?.byte)
    options.hasPositions = !noPositions
    let table = options.isEmpty ? nil : options
    if from == nil, inputCrs == nil { return table }
    return ReadingOptions(format: from, system: inputCrs?.system, table: table)
  }
}

/// The name of an encoding.
package struct EncodingArgument: Hashable, Sendable {
  package var encoding: TextEncoding

  package static func read(_ argument: String) throws -> EncodingArgument {
    guard let encoding = TextEncoding(name: argument) else {
      throw ValidationError(
        "no encoding “\(argument)”: there are \(TextEncoding.names.joined(separator: ", ")), and "
          + "those that iconv -l lists")
    }
    return EncodingArgument(encoding: encoding)
  }
}

/// What stands between the fields of a table that is read: a byte, or its name.
package struct InputSeparatorArgument: ExpressibleByArgument, Hashable, Sendable {
  package var byte: UInt8

  package init?(argument: String) {
    if let named = SeparatorArgument(argument: argument) {
      byte = named.byte
      return
    }
    // Letters, digits and quotes are parts of fields.
    guard let sign = argument.utf8.first, argument.utf8.count == 1, sign >= 0x20, sign < 0x7F,
      sign != UInt8(ascii: "\""), !Character(Unicode.Scalar(sign)).isLetter,
      !Character(Unicode.Scalar(sign)).isNumber, !"+-.".utf8.contains(sign)
    else { return nil }
    byte = sign
  }
}
