internal import PortolanCNCurses
package import PortolanTerminals

extension CursesScreen {
  /// Shows a frame; only changed cells are given to curses, which sends the difference.
  ///
  /// - Complexity: O(cells) for the comparison, about 20 µs at 200x60; nothing is sent for a frame
  ///   that is already shown.
  package func present(_ frame: Frame) throws {
    guard !isEnding, shown != frame else { return }
    guard sendAll() else {
      shown = nil
      return
    }
    colours.beginFrame()
    draw(frame)
    if colours.isExhausted {
      // Those of former frames have used up the numbers: number anew and draw everything.
      colours.recycle()
      shown = nil
      draw(frame)
    }
    // After an incomplete write the next frame is sent whole.
    shown = show(frame) ? frame : nil
  }

  private func draw(_ frame: Frame) {
    let columns = min(size.columns, frame.size.columns)
    let rows = min(size.rows, frame.size.rows)
    let former = shown.flatMap { $0.size == frame.size ? $0 : nil }
    if former == nil {
      portolan_clear()
      portolan_forget()
    }
    let sameClusters = former?.clusters == frame.clusters
    var run: [portolan_cell] = []
    run.reserveCapacity(columns)
    frame.cells.withUnsafeBufferPointer { cells in
      for row in 0..<rows {
        let start = row * frame.size.columns
        let line = UnsafeBufferPointer(rebasing: cells[start..<start + columns])
        let changed: Range<Int>?
        if let former {
          changed = former.cells.withUnsafeBufferPointer { old in
            let oldLine = UnsafeBufferPointer(rebasing: old[start..<start + columns])
            return CursesScreen.changes(line, oldLine, sameClusters: sameClusters)
          }
        } else {
          changed = 0..<columns
        }
        if let changed { draw(line, changed, row: row, of: frame, &run) }
      }
    }
  }

  /// The range from the first to the last changed cell of a line, including whole wide glyphs.
  private static func changes(
    _ line: UnsafeBufferPointer<Cell>, _ former: UnsafeBufferPointer<Cell>, sameClusters: Bool
  ) -> Range<Int>? {
    func differs(_ index: Int) -> Bool {
      let cell = line[index]
      return cell != former[index] || (!sameClusters && cell.glyph.clusterIndex != nil)
    }
    guard var first = line.indices.first(where: differs),
      var last = line.indices.last(where: differs)
    else { return nil }
    while first > 0, line[first].glyph.isContinuation || former[first].glyph.isContinuation {
      first -= 1
    }
    while last + 1 < line.count,
      line[last + 1].glyph.isContinuation || former[last + 1].glyph.isContinuation
    {
      last += 1
    }
    return first..<last + 1
  }

  private func draw(
    _ line: UnsafeBufferPointer<Cell>, _ changed: Range<Int>, row: Int, of frame: Frame,
    _ run: inout [portolan_cell]
  ) {
    run.removeAll(keepingCapacity: true)
    var start = changed.lowerBound
    var column = start
    var style: CellStyle?
    var looks: (attributes: UInt32, pair: Int32) = (0, 0)
    while column < changed.upperBound {
      let cell = line[column]
      if cell.style != style {
        style = cell.style
        looks = colours.looks(of: cell.style)
      }
      let isWide = column + 1 < line.count && line[column + 1].glyph.isContinuation
      let glyph = CellText(cell.glyph, in: frame, columns: isWide ? 2 : 1, isUTF8: isUTF8)
      run.append(
        portolan_cell(scalars: glyph.scalars, attributes: looks.attributes, pair: looks.pair))
      if let second = glyph.second {
        run.append(
          portolan_cell(
            scalars: (second, 0, 0, 0, 0), attributes: looks.attributes, pair: looks.pair))
      }
      column += isWide ? 2 : 1
      if run.count > Int(PORTOLAN_RUN_MAX) - 2 {
        portolan_draw(Int32(row), Int32(start), run, Int32(run.count))
        run.removeAll(keepingCapacity: true)
        start = column
      }
    }
    if !run.isEmpty { portolan_draw(Int32(row), Int32(start), run, Int32(run.count)) }
  }

  /// Sends the difference; returns false if the terminal did not take all of it.
  private func show(_ frame: Frame) -> Bool {
    let cursor = frame.cursor.flatMap { cursor in
      cursor.column >= 0 && cursor.row >= 0 && cursor.column < size.columns
        && cursor.row < size.rows ? cursor : nil
    }
    func show() {
      curs_set(cursor == nil ? 0 : 1)
      portolan_show(Int32(cursor?.row ?? -1), Int32(cursor?.column ?? 0))
    }
    let pictures = commands(for: frame.pictures)
    // Before they are sent: a signal handler removes them.
    if !frame.pictures.isEmpty { note(frame.pictures) }
    defer { note(frame.pictures) }
    let (begin, end) =
      modes.isSynchronised ? (TerminalModes.beginUpdate, TerminalModes.endUpdate) : ([], [])
    let cells = colours.rewrite(collector.collect(show))
    let bytes = pictures.removal + cells + pictures.drawing
    return bytes.isEmpty || send(begin + bytes + end)
  }
}
