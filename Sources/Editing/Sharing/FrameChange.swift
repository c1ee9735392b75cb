package import PortolanTerminals
import PortolanTexts

/// What changed between two frames of one size, as bytes for another program.
///
///     columns rows isWhole cursor styles clusters spans pictures
///
/// All are numbers of `PackedWriter`. A style is foreground, background (0 for the terminal's own,
/// else the colour and one) and attributes. A span is row, column, twice the number of its cells
/// (plus one where all have one glyph), the number of its style, and its glyphs: 0 for the right
/// half of a wide one, the scalar's value, or from 0x11_0000 on the number of a cluster. Pictures
/// of pixels are in `FrameChange+Pictures.swift`.
package enum FrameChange {
  /// The most cells of a frame: a terminal of 4,096 by 512.
  static let cellsMax = 1 << 21
  /// Glyphs from here on are clusters.
  private static let firstCluster = 0x11_0000
  private static let clusterBytesMax = 256
  /// Unchanged cells between two changes that are sent with them, for less than a new span costs.
  private static let gapMax = 3

  // MARK: Writing

  /// The change from a frame to another one.
  ///
  /// - Parameter former: the frame that the other side has; `nil` if it has none.
  /// - Complexity: O(cells).
  package static func bytes(from former: Frame?, to frame: Frame) -> [UInt8] {
    let base = former.flatMap { $0.size == frame.size ? $0 : nil }
    var spans = SpanWriter(frame)
    for row in 0..<frame.size.rows { write(row, of: frame, since: base, to: &spans) }
    var writer = PackedWriter()
    writer.write(frame.size.columns)
    writer.write(frame.size.rows)
    writer.write(base == nil)
    let cursor = frame.cursor.flatMap { $0.column >= 0 && $0.row >= 0 ? $0 : nil }
    writer.write(optional: cursor) { writer, cursor in
      writer.write(cursor.column)
      writer.write(cursor.row)
    }
    writer.write(list: spans.styles) { writer, style in
      writer.write(number(of: style.foreground))
      writer.write(number(of: style.background))
      writer.write(Int(style.attributes.rawValue))
    }
    writer.write(list: spans.clusters) { $0.write($1) }
    writer.write(spans.count)
    return writer.bytes + spans.writer.bytes + bytes(of: frame.pictures, since: base)
  }

  private static func write(
    _ row: Int, of frame: Frame, since base: Frame?, to spans: inout SpanWriter
  ) {
    let (columns, start) = (frame.size.columns, row * frame.size.columns)
    var column = 0
    while column < columns {
      guard differs(start + column, frame, base) else {
        column += 1
        continue
      }
      var end = column + 1
      var last = end
      while last < columns, last - end <= gapMax {
        last += 1
        if differs(start + last - 1, frame, base) { end = last }
      }
      spans.write(row, column..<end)
      column = end
    }
  }

  private static func differs(_ index: Int, _ frame: Frame, _ base: Frame?) -> Bool {
    guard let base else { return frame.cells[index] != .blank }
    // The numbers of clusters are those of their own frame.
    return frame.cells[index] != base.cells[index]
      || frame.cells[index].glyph.clusterIndex != nil
  }

  private static func number(of colour: TerminalColour) -> Int {
    colour.isStandard ? 0 : Int(colour.rawValue & 0xFF_FFFF) + 1
  }

  /// Collects the changed cells, with their styles and clusters.
  private struct SpanWriter {
    let frame: Frame
    var writer = PackedWriter()
    var styles: [CellStyle] = []
    var clusters: [String] = []
    var count = 0
    private var styleNumbers: [CellStyle: Int] = [:]
    private var clusterNumbers: [Int: Int] = [:]

    init(_ frame: Frame) { self.frame = frame }

    /// Writes cells of a row as spans of one style.
    mutating func write(_ row: Int, _ columns: Range<Int>) {
      var start = columns.lowerBound
      while start < columns.upperBound {
        let first = frame[start, row]
        var end = start + 1
        while end < columns.upperBound, frame[end, row].style == first.style { end += 1 }
        var same = start + 1
        while same < end, frame[same, row].glyph == first.glyph { same += 1 }
        // A long run of one glyph is a span of its own.
        let isSame = same == end || same - start > 6
        if isSame {
          end = same
        } else if let run = longRun(in: start..<end, row) {
          end = run
        }
        writer.write(row)
        writer.write(start)
        writer.write((end - start) << 1 | (isSame ? 1 : 0))
        writer.write(number(of: first.style))
        for column in start..<(isSame ? start + 1 : end) {
          writer.write(number(of: frame[column, row].glyph))
        }
        count += 1
        start = end
      }
    }

    /// Where a run of more than six cells of one glyph begins, behind the first cell.
    private func longRun(in columns: Range<Int>, _ row: Int) -> Int? {
      var begin = columns.lowerBound
      for column in columns.dropFirst() {
        if frame[column, row].glyph != frame[begin, row].glyph { begin = column }
        if column - begin >= 7, begin > columns.lowerBound { return begin }
      }
      return nil
    }

    private mutating func number(of style: CellStyle) -> Int {
      if let known = styleNumbers[style] { return known }
      let number = styles.count
      styles.append(style)
      styleNumbers[style] = number
      return number
    }

    private mutating func number(of glyph: Glyph) -> Int {
      guard let index = glyph.clusterIndex else { return Int(glyph.rawValue) }
      if let known = clusterNumbers[index] { return known }
      let number = FrameChange.firstCluster + clusters.count
      clusters.append(frame.text(of: glyph))
      clusterNumbers[index] = number
      return number
    }
  }

  // MARK: Reading

  /// The frame after a change.
  ///
  /// Every glyph goes through the sanitiser of `Terminals`, whoever sent it.
  ///
  /// - Parameter former: the frame that was shown last; `nil` for none.
  /// - Throws: where the bytes are no change of that frame.
  package static func frame(
    from former: Frame?, _ bytes: [UInt8]
  ) throws(PackedBytesError) -> Frame {
    var reader = PackedReader(bytes)
    let size = try size(&reader)
    let isWhole = try reader.flag()
    guard isWhole || former?.size == size else {
      throw reader.fault("the change is of another frame")
    }
    var frame = isWhole ? Frame(size: size) : cleared(former, size)
    frame.cursor = try reader.optional { reader throws(PackedBytesError) in
      let column = try reader.number(atMost: Frame.extentMax)
      return (column, try reader.number(atMost: Frame.extentMax))
    }
    let styles = try styles(&reader)
    let clusters = try reader.list(atMost: cellsMax) { reader throws(PackedBytesError) in
      try reader.text(atMost: clusterBytesMax)
    }.map { frame.safeGlyph(of: $0) }
    // Spans do not overlap: a message of a few bytes is no work without end.
    var rest = size.columns * size.rows
    for _ in 0..<(try reader.number(atMost: cellsMax)) {
      rest -= try readSpan(&reader, styles, clusters, into: &frame)
      if rest < 0 { throw reader.fault("more cells than the frame has") }
    }
    frame.pictures = try pictures(&reader, size, isWhole ? [] : former?.pictures ?? [])
    try reader.end()
    frame.mendHalves()
    return frame
  }

  private static func size(
    _ reader: inout PackedReader
  ) throws(PackedBytesError) -> CellSize {
    let columns = try reader.number(atMost: Frame.extentMax)
    let rows = try reader.number(atMost: Frame.extentMax)
    guard columns * rows <= cellsMax else { throw reader.fault("\(columns)x\(rows) cells") }
    return CellSize(columns: columns, rows: rows)
  }

  private static func styles(
    _ reader: inout PackedReader
  ) throws(PackedBytesError) -> [CellStyle] {
    func colour(_ number: Int) -> TerminalColour {
      if number == 0 { return .standard }
      let value = number - 1
      return TerminalColour(
        red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }
    return try reader.list(atMost: cellsMax) { reader throws(PackedBytesError) in
      let foreground = colour(try reader.number(atMost: 0x100_0000))
      let background = colour(try reader.number(atMost: 0x100_0000))
      let attributes = CellAttributes(rawValue: UInt8(try reader.number(atMost: 63)))
      return CellStyle(foreground: foreground, background: background, attributes: attributes)
    }
  }

  /// Reads a span; returns the number of its cells.
  private static func readSpan(
    _ reader: inout PackedReader, _ styles: [CellStyle], _ clusters: [Glyph],
    into frame: inout Frame
  ) throws(PackedBytesError) -> Int {
    let row = try reader.number(atMost: frame.size.rows - 1)
    let column = try reader.number(atMost: frame.size.columns - 1)
    let length = try reader.number(atMost: 2 * Frame.extentMax + 1)
    let (count, isSame) = (length >> 1, length & 1 == 1)
    guard count > 0, count <= frame.size.columns - column else {
      throw reader.fault("\(count) cells from column \(column)")
    }
    let style = try reader.number(atMost: styles.count - 1)
    var glyph = Glyph.space
    for offset in 0..<count {
      if offset == 0 || !isSame {
        let number = try reader.number(atMost: firstCluster + clusters.count - 1)
        glyph = self.glyph(number, clusters)
      }
      frame[column + offset, row] = Cell(glyph: glyph, style: styles[style])
    }
    return count
  }

  private static func glyph(_ number: Int, _ clusters: [Glyph]) -> Glyph {
    if number == 0 { return .continuation }
    if number >= firstCluster { return clusters[number - firstCluster] }
    return Glyph(Unicode.Scalar(UInt32(number)) ?? "\u{FFFD}")
  }

  /// The cells of a frame without those of clusters, which every change has anew.
  private static func cleared(_ former: Frame?, _ size: CellSize) -> Frame {
    var frame = Frame(size: size)
    guard let former else { return frame }
    frame.withMutableCells { cells in
      for index in cells.indices where former.cells[index].glyph.clusterIndex == nil {
        cells[index] = former.cells[index]
      }
    }
    return frame
  }
}

extension Frame {
  /// The glyph of a cluster from another program.
  fileprivate mutating func safeGlyph(of text: String) -> Glyph {
    var clusters = DisplayClusters(text)
    return clusters.next().map { glyph(for: $0) } ?? .space
  }

  /// Makes blanks of right halves without a left one.
  fileprivate mutating func mendHalves() {
    let columns = size.columns
    withMutableCells { cells in
      for index in cells.indices where cells[index].glyph.isContinuation {
        let isFirst = index % columns == 0
        if isFirst || cells[index - 1].glyph.isContinuation || cells[index - 1].glyph == .space {
          cells[index].glyph = .space
        }
      }
    }
  }
}
