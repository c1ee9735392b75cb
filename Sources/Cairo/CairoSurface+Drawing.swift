import PortolanCCairo
package import PortolanGraphics

/// Lines, areas and texts.
extension CairoSurface {
  /// The line along paths.
  package struct Line {
    package var colour: Colour
    package var width: Double
    /// The lengths of dashes and gaps in turn; empty for a whole line.
    package var dashes: [Double] = []
    package var opacity = 1.0
    /// Whether the ends are half circles.
    package var isRound = false

    package init(_ colour: Colour, width: Double) {
      self.colour = colour
      self.width = width
    }
  }

  // MARK: Paths

  package func move(_ x: Double, _ y: Double) { calls.cairo_move_to(context, x, y) }
  package func line(_ x: Double, _ y: Double) { calls.cairo_line_to(context, x, y) }
  package func closePath() { calls.cairo_close_path(context) }

  package func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    calls.cairo_rectangle(context, x, y, width, height)
  }

  package func circle(_ x: Double, _ y: Double, radius: Double) {
    calls.cairo_arc(context, x, y, radius, 0, 2 * Double.pi)
    calls.cairo_close_path(context)
  }

  /// Fills the path by the even-odd rule; it stays to be stroked if wanted.
  package func fill(_ colour: Colour, keepsPath: Bool = false) {
    set(colour, 1)
    if keepsPath { calls.cairo_fill_preserve(context) } else { calls.cairo_fill(context) }
  }

  /// Makes everything in the path more transparent: an opacity of 1 leaves nothing there.
  package func erase(opacity: Double) {
    set(Colour(red: 0, green: 0, blue: 0), opacity)
    calls.cairo_set_operator(context, Code.erase)
    calls.cairo_fill(context)
    calls.cairo_set_operator(context, Code.over)
  }

  /// Takes the look of the lines that follow.
  package func use(_ line: Line) {
    set(line.colour, line.opacity)
    calls.cairo_set_line_width(context, line.width)
    calls.cairo_set_line_cap(context, line.isRound ? Code.roundCap : Code.buttCap)
    line.dashes.withUnsafeBufferPointer {
      calls.cairo_set_dash(context, $0.baseAddress, Int32(clamping: $0.count), 0)
    }
  }

  /// Draws the line along the path, which ends with it.
  package func stroke() { calls.cairo_stroke(context) }

  package func dropPath() { calls.cairo_new_path(context) }

  /// Covers everything.
  package func paint(_ colour: Colour) {
    set(colour, 1)
    calls.cairo_paint(context)
  }

  /// Cuts what follows at a rectangle, until `endClip`.
  package func clip(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    calls.cairo_save(context)
    rectangle(x, y, width, height)
    calls.cairo_clip(context)
  }

  package func endClip() { calls.cairo_restore(context) }

  private func set(_ colour: Colour, _ opacity: Double) {
    calls.cairo_set_source_rgba(
      context, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255,
      opacity)
  }

  /// Draws small dots of one size, which may overlap.
  ///
  /// On a page they are round. As pixels they are squares of the same area, of which cairo draws a
  /// hundred thousand in 50 ms; that cannot be seen below two pixels.
  package func draw<Places: Sequence>(
    dots places: Places, diameter: Double, _ colour: Colour
  ) where Places.Element == (x: Double, y: Double) {
    set(colour, 1)
    if isPage {
      var line = Line(colour, width: diameter)
      line.isRound = true
      use(line)
      for (x, y) in places {
        move(x, y)
        self.line(x, y)
      }
      return stroke()
    }
    let side = diameter * (Double.pi / 4).squareRoot()
    for (x, y) in places {
      rectangle(x - side / 2, y - side / 2, side, side)
      calls.cairo_fill(context)
    }
  }

  // MARK: Texts

  /// A line of text, shaped by Pango in the font that the system calls `sans-serif`.
  package struct Text {
    package var text: String
    /// The letter height, in units.
    package var size: Double
    package var colour: Colour
    package var isBold = false
    package var isItalic = false
    /// The part of the width before the place: 0 at the start, 0.5 in the middle, 1 at the end.
    package var anchor = 0.0
    /// The line around the letters; `nil` for none.
    package var halo: Line?
    /// The room between letters beyond the usual one, in units.
    package var letterSpacing = 0.0
    /// The largest width in units: a wider text is condensed.
    package var widthMax = Double.infinity
    /// The direction of its line: a part of 1 to the right, and one down.
    package var direction = (x: 1.0, y: 0.0)
    /// The line for its letters: the place and the direction at a distance from the middle; `nil`
    /// for a straight one.
    package var curve: ((Double) -> (x: Double, y: Double, directionX: Double, directionY: Double))?

    package init(_ text: String, size: Double, colour: Colour) {
      self.text = text
      self.size = size
      self.colour = colour
    }
  }

  /// The longest text that is drawn, in scalars: what follows is beyond every page.
  private static let scalarsMax = 5000

  /// Writes a text with its baseline at a height.
  package func draw(_ text: Text, x: Double, y: Double) {
    set(text)
    if calls.pango_layout_get_unknown_glyphs_count(layout) > 0 {
      undrawnText = undrawnText ?? text.text
      undrawnCount += 1
    }
    var box = (ink: PangoRectangle(), logical: PangoRectangle())
    calls.pango_layout_get_extents(layout, &box.ink, &box.logical)
    let width = Double(box.logical.width) / Code.pangoUnits
    let baseline = Double(calls.pango_layout_get_baseline(layout)) / Code.pangoUnits
    let stretch = width > text.widthMax && text.widthMax > 0 ? text.widthMax / width : 1
    calls.cairo_save(context)
    defer { calls.cairo_restore(context) }
    if let curve = text.curve {
      return draw(text, width: width, baseline: baseline, stretch: stretch, along: curve)
    }
    calls.cairo_translate(context, x, y)
    if text.direction.y != 0 {
      calls.cairo_rotate(context, Mathematics.angle(y: text.direction.y, x: text.direction.x))
    }
    calls.cairo_translate(context, -text.anchor * width * stretch, 0)
    calls.cairo_scale(context, stretch, 1)
    if let halo = text.halo {
      calls.cairo_move_to(context, 0, -baseline)
      calls.pango_cairo_layout_path(context, layout)
      use(halo)
      stroke()
    }
    set(text.colour, 1)
    calls.cairo_move_to(context, 0, -baseline)
    calls.pango_cairo_show_layout(context, layout)
    calls.cairo_new_path(context)
  }

  /// Draws the outlines of a text with every point moved to its place on a curve.
  private func draw(
    _ text: Text, width: Double, baseline: Double, stretch: Double,
    along curve: (Double) -> (x: Double, y: Double, directionX: Double, directionY: Double)
  ) {
    calls.cairo_new_path(context)
    calls.cairo_move_to(context, 0, -baseline)
    calls.pango_cairo_layout_path(context, layout)
    let outlines = calls.cairo_copy_path(context)
    defer { calls.cairo_path_destroy(outlines) }
    calls.cairo_new_path(context)
    guard let outlines, let elements = outlines.pointee.elements else { return }
    func place(_ index: Int) -> (x: Double, y: Double) {
      let point = elements[index].point
      let at = curve((point.x - width / 2) * stretch)
      return (at.x - point.y * at.directionY, at.y + point.y * at.directionX)
    }
    var index = 0
    while index < Int(outlines.pointee.count) {
      let header = elements[index].header
      switch header.kind {
      case 0:
        let to = place(index + 1)
        move(to.x, to.y)
      case 1:
        let to = place(index + 1)
        line(to.x, to.y)
      case 2:
        let (one, other, to) = (place(index + 1), place(index + 2), place(index + 3))
        calls.cairo_curve_to(context, one.x, one.y, other.x, other.y, to.x, to.y)
      default: closePath()
      }
      index += max(1, Int(header.length))
    }
    if let halo = text.halo {
      use(halo)
      calls.cairo_stroke_preserve(context)
    }
    calls.cairo_set_fill_rule(context, Code.winding)
    fill(text.colour)
    calls.cairo_set_fill_rule(context, Code.evenOdd)
  }

  /// Whether there is a font with plain letters.
  var hasFonts: Bool {
    self.set(Text("A", size: 10, colour: Colour(red: 0, green: 0, blue: 0)))
    return calls.pango_layout_get_unknown_glyphs_count(layout) == 0
  }

  private func set(_ text: Text) {
    let wanted = CairoFont(size: text.size, isBold: text.isBold, isItalic: text.isItalic)
    calls.pango_layout_set_font_description(layout, font(wanted))
    space(text)
    var bytes = Self.shown(text.text)
    bytes.withUnsafeMutableBytes { bytes in
      calls.pango_layout_set_text(
        layout, bytes.bindMemory(to: CChar.self).baseAddress, Int32(clamping: bytes.count))
    }
  }

  private func space(_ text: Text) {
    guard text.letterSpacing > 0 || isSpaced else { return }
    isSpaced = text.letterSpacing > 0
    let list = calls.pango_attr_list_new()
    if isSpaced {
      let spacing = Int32(clamping: Int(text.letterSpacing * Code.pangoUnits))
      calls.pango_attr_list_insert(list, calls.pango_attr_letter_spacing_new(spacing))
    }
    calls.pango_layout_set_attributes(layout, list)
    calls.pango_attr_list_unref(list)
  }

  /// The text as UTF-8 without controls, breaks of lines and numbers that are no characters: cairo
  /// refuses those.
  static func shown(_ text: String) -> [UInt8] {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(scalarsMax) {
      let isCharacter =
        scalar.value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(scalar.value)
      switch scalar {
      case "\t", "\n", "\u{2028}", "\u{2029}": shown.append(" ")
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFC}": shown.append("\u{FFFD}")
      default: shown.append(isCharacter ? scalar : "\u{FFFD}")
      }
    }
    return Array(String(shown).utf8)
  }

  private func font(_ wanted: CairoFont) -> OpaquePointer? {
    if let font = fonts[wanted] { return font }
    let font = calls.pango_font_description_new()
    calls.pango_font_description_set_family(font, "sans-serif")
    calls.pango_font_description_set_weight(
      font, wanted.isBold ? Code.boldWeight : Code.normalWeight)
    calls.pango_font_description_set_style(
      font, wanted.isItalic ? Code.italicStyle : Code.uprightStyle)
    calls.pango_font_description_set_absolute_size(font, wanted.size * Code.pangoUnits)
    fonts[wanted] = font
    return font
  }
}

/// What tells fonts apart.
struct CairoFont: Hashable {
  var size: Double
  var isBold: Bool
  var isItalic: Bool
}
