package import PortolanDocuments
package import PortolanFiles

/// Tables of points (RFC 4180 and its relatives): comma, semicolon or tab, with longitude and
/// latitude columns or one column of well-known text. With commas, then with tabs (→):
///
///     lon,lat,n
///     10.5,60,1
///     12,42,2
///
///     lon→lat→n
///     10.5→60→1
///     12→42→2
package struct CSVFormat: PartImporter, PartExporter {
  package let name: String
  package let title: String
  package let extensions: [String]
  /// Texts that are no valid Unicode are told with lists and objects.
  package var limits: FormatLimits { FormatLimits(holdsLoneSurrogates: true) }
  /// The separator for writing; reading detects it.
  private let separator: UInt8

  package static let comma = CSVFormat(
    name: "csv", title: "CSV points (RFC 4180) or a WKT column", extensions: ["csv"],
    separator: UInt8(ascii: ","))
  package static let tab = CSVFormat(
    name: "tsv", title: "TSV points or a WKT column", extensions: ["tsv", "tab"],
    separator: UInt8(ascii: "\t"))

  /// A table is recognised by its first line: it names columns, and positions among them, unless
  /// the second one has well-known text.
  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    guard let bytes = Self.text(head) else { return false }
    var scanner = CSVScanner(bytes, separator: CSVScanner.separator(of: bytes))
    guard scanner.separator == separator || separator != UInt8(ascii: "\t") else { return false }
    guard let header = try? scanner.nextRecord(), header.count > 1 else { return false }
    let names = header.map(scanner.text)
    if PositionColumns(names, options: ImportOptions(name: "")) != nil { return true }
    let record = (try? scanner.nextRecord()) ?? []
    return record.contains { ShapeText(scanner.text($0)) != nil }
  }

  /// The beginning of a file in UTF-8; `nil` if its mark tells another encoding than it has.
  private static func text(_ head: ArraySlice<UInt8>) -> [UInt8]? {
    guard let encoding = TextEncoding.marked(head) else { return Array(head) }
    // The last character may be cut.
    let whole = Array(head.prefix(head.count / 2 * 2))
    return (try? encoding.decoded(whole)) ?? (try? encoding.decoded(Array(whole.dropLast(2))))
  }

  package func takes(_ options: any FormatOptions) -> Bool { options is TableOptions }

  /// A NUL outside of quotes: the file is no text.
  package func fault(in head: ArraySlice<UInt8>) -> ImportError? {
    guard TextEncoding.marked(head) == nil, head.contains(0) else { return nil }
    var isQuoted = false
    let found = head.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == 0 && !isQuoted
    }
    guard let place = found else { return nil }
    let offset = place - head.startIndex
    let line = 1 + head[..<place].count { $0 == 0x0A }
    let start = head[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? head.startIndex
    return ImportError(code: .notText, offset: offset, line: line, column: place - start + 1)
  }

  /// The places of errors in a file of another encoding are those in its text.
  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let bytes = try source.bytes()
    var reader = CSVReader(bytes)
    do {
      return try reader.read(options, progress)
    } catch let fault as ScanFault {
      throw reader.bytes.withUnsafeBufferPointer { bytes in
        var locator = TextLocator(bytes)
        let (line, column) = locator.place(of: fault.offset)
        return ImportError(
          code: fault.code, offset: fault.offset, line: line, column: column, detail: fault.detail)
      }
    }
  }

  package func readParts(
    of text: TextSource, options: ImportOptions, memory: PartMemory,
    progress: (Double) throws -> Void, take: (FeatureBlock) throws -> Void
  ) throws -> ImportResult {
    guard options.table.isEmpty else { throw TextParts.NeedsWhole() }
    return try withoutActuallyEscaping(take) { take in
      do {
        var reader = try CSVReader(TableParts(text: text, take: take))
        if TextEncoding.marked(reader.bytes) ?? .utf8 != .utf8 { throw TextParts.NeedsWhole() }
        return try reader.read(options, progress)
      } catch is ScanFault {
        // The error of the whole table says where.
        throw TextParts.NeedsWhole()
      }
    }
  }

  package var needsFormerBytes: Bool { true }

  package func rewrite(
    _ layer: any FeatureHolding, over former: FormerFile, system: CoordinateSystem
  ) throws -> RewrittenFile {
    let (layer, unplaced) = CSVRewriter.placed(layer)
    var former = former
    let encoding = TableLayout(words: former.layer.source.whitespace).flatMap {
      TextEncoding(name: $0.encoding)
    }
    if let encoding { former.bytes = try encoding.decoded(former.bytes) }
    var rewriter = CSVRewriter(former, system: system)
    let bytes = try rewriter.bytes(of: layer)
    let written = encoding?.encoded(bytes) ?? (bytes, 0)
    var file = RewrittenFile(written.0, losses: unplaced)
    if written.1 > 0, let encoding {
      file.losses.append(
        CountText.text(written.1, "character", "characters")
          + " that \(encoding.name) does not have")
    }
    let usual = ImportOptions(name: layer.name)
    // A named column may have got another name.
    var options = former.options
    if var table = options?.ofTable {
      table.encoding = nil
      options = table
    }
    let named = options.flatMap {
      try? read(bytes, options: ImportOptions(name: "", own: $0)) { _ in }
    }
    let found = try named ?? read(bytes, options: usual) { _ in }
    guard let again = found.layers.first as? any FeatureHolding else { return file }
    let layout = TableLayout(words: layer.source.whitespace)
    file.losses += ReadBack.losses(
      of: layer, in: again, positions: layout?.positions.map(\.name) ?? [])
    return file
  }

  package func write(
    _ layer: any FeatureHolding, options: ExportOptions, to sink: ([UInt8]) throws -> Void,
    features: @escaping ((FeatureBlock) throws -> Void) throws -> Void
  ) throws -> ExportReport {
    var writer = CSVWriter(options: options, separator: separator)
    try writer.write(layer, to: sink, features: features)
    return writer.report
  }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    var writer = CSVWriter(options: options, separator: separator)
    try writer.write(layers.compactMap { $0 as? any FeatureHolding }, to: sink)
    return writer.report
  }
}
