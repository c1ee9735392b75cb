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
package struct CSVFormat: Importer, Exporter {
  package let name: String
  package let title: String
  package let extensions: [String]
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
    let bytes = Array(head)
    var scanner = CSVScanner(bytes, separator: CSVScanner.separator(of: bytes))
    guard scanner.separator == separator || separator != UInt8(ascii: "\t") else { return false }
    guard let header = try? scanner.nextRecord(), header.count > 1 else { return false }
    let names = header.map(scanner.text)
    if PositionColumns(names, options: ImportOptions(name: "")) != nil { return true }
    let record = (try? scanner.nextRecord()) ?? []
    return record.contains { (try? WKT.geometry(scanner.text($0))) != nil }
  }

  package func takes(_ options: any FormatOptions) -> Bool { options is TableOptions }

  /// A NUL: the file is no text.
  package func fault(in head: ArraySlice<UInt8>) -> ImportError? {
    guard let place = head.firstIndex(of: 0) else { return nil }
    let isWide = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
    let offset = place - head.startIndex
    let line = 1 + head[..<place].count { $0 == 0x0A }
    let start = head[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? head.startIndex
    return ImportError(
      code: isWide ? .utf16 : .notText, offset: isWide ? 0 : offset, line: line,
      column: isWide ? 1 : place - start + 1)
  }

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let bytes = try source.bytes()
    var reader = CSVReader(bytes)
    do {
      return try reader.read(options, progress)
    } catch let fault as ScanFault {
      throw bytes.withUnsafeBufferPointer { bytes in
        var locator = TextLocator(bytes)
        let (line, column) = locator.place(of: fault.offset)
        return ImportError(
          code: fault.code, offset: fault.offset, line: line, column: column, detail: fault.detail)
      }
    }
  }

  package var needsFormerBytes: Bool { true }

  package func rewrite(
    _ layer: any FeatureHolding, over former: FormerFile, system: CoordinateSystem
  ) throws -> RewrittenFile {
    let (layer, unplaced) = CSVRewriter.placed(layer)
    var rewriter = CSVRewriter(former, system: system)
    let bytes = try rewriter.bytes(of: layer)
    let usual = ImportOptions(name: layer.name)
    // A named column may have got another name.
    let named = former.options.flatMap {
      try? read(bytes, options: ImportOptions(name: "", own: $0)) { _ in }
    }
    let found = try named ?? read(bytes, options: usual) { _ in }
    guard let again = found.layers.first as? any FeatureHolding else { return RewrittenFile(bytes) }
    let layout = TableLayout(words: layer.source.whitespace)
    let positions = [layout?.x, layout?.y, layout?.text].compactMap { $0?.name }
    return RewrittenFile(
      bytes, losses: unplaced + ReadBack.losses(of: layer, in: again, positions: positions))
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
