import PortolanCCairo

/// A picture that cairo draws: pixels, or a page of a PDF file.
///
/// Lengths are in units of the page. A call that fails is remembered and thrown by `png` or `pdf`;
/// what is drawn after it has no effect.
package final class CairoSurface {
  /// The largest width and height of pixels that cairo draws.
  package static let pixelsMax = 32_767

  /// The size in pixels; none of a page.
  let width: Int
  let height: Int
  /// The size of a unit in pixels.
  private var unit = (width: 1.0, height: 1.0)
  /// Whether it is a page, not pixels.
  var isPage: Bool { width == 0 }
  let calls: portolan_cairo
  let context: OpaquePointer?
  private let surface: OpaquePointer?
  private let output: OutputBox
  /// The fonts by size, weight and slant.
  var fonts: [CairoFont: OpaquePointer] = [:]
  /// Whether the letters of the last text stood apart.
  var isSpaced = false
  /// The first text with a letter that no installed font has; `nil` for none.
  package var undrawnText: String?
  /// The number of texts with such letters.
  package var undrawnCount = 0
  /// The layout of every text, which takes one after the other.
  private(set) var layout: OpaquePointer?

  /// Takes the bytes of a stream from cairo.
  private final class OutputBox {
    var bytes: [UInt8] = []
  }

  private static let take: portolan_cairo_write = { closure, bytes, count in
    guard let closure, let bytes else { return count == 0 ? 0 : 11 }
    let box = Unmanaged<OutputBox>.fromOpaque(closure).takeUnretainedValue()
    box.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    return 0
  }

  /// A picture of pixels, all of one colour.
  ///
  /// - Parameters:
  ///   - horizontal: the width of a unit in pixels.
  ///   - vertical: the height of a unit in pixels.
  /// - Throws: if a library is missing, or cairo has no such picture: of no pixels, of more than
  ///   `pixelsMax` in a row or column, or for want of memory.
  package convenience init(
    width: Int, height: Int, horizontal: Double = 1, vertical: Double = 1
  ) throws(CairoError) {
    let (width, height) = (Int32(clamping: width), Int32(clamping: height))
    try self.init(width: Int(width), height: Int(height)) { calls, _ in
      calls.cairo_image_surface_create(Code.opaquePixels, width, height)
    }
    calls.cairo_scale(context, horizontal, vertical)
    unit = (horizontal, vertical)
  }

  /// A transparent picture of pixels.
  ///
  /// - Parameters:
  ///   - horizontal: the width of a unit in pixels.
  ///   - vertical: the height of a unit in pixels.
  /// - Throws: as that of one colour.
  package convenience init(
    clearWidth width: Int, height: Int, horizontal: Double, vertical: Double
  ) throws(CairoError) {
    let (width, height) = (Int32(clamping: width), Int32(clamping: height))
    try self.init(width: Int(width), height: Int(height)) { calls, _ in
      calls.cairo_image_surface_create(Code.clearPixels, width, height)
    }
    calls.cairo_scale(context, horizontal, vertical)
    unit = (horizontal, vertical)
  }

  /// A page of a PDF file.
  ///
  /// - Parameters:
  ///   - width: in points, 1/72 inch, as is the height.
  ///   - unit: the length of a unit in points.
  ///   - title: the title of the file; empty for none.
  /// - Throws: if a library is missing.
  package convenience init(
    pageWidth width: Double, height: Double, unit: Double, title: String
  ) throws(CairoError) {
    try self.init(width: 0, height: 0) { calls, box in
      let surface = calls.cairo_pdf_surface_create_for_stream(
        Self.take, Unmanaged.passUnretained(box).toOpaque(), width, height)
      let title = String(decoding: Self.shown(title), as: UTF8.self)
      if !title.isEmpty { calls.cairo_pdf_surface_set_metadata(surface, Code.title, title) }
      // Else the time of drawing would stand there, and equal maps had other bytes.
      calls.cairo_pdf_surface_set_metadata(surface, Code.creationDate, "1970-01-01T00:00:00Z")
      return surface
    }
    calls.cairo_scale(context, unit, unit)
  }

  private init(
    width: Int, height: Int,
    _ open: (_ calls: portolan_cairo, _ output: OutputBox) -> OpaquePointer?
  ) throws(CairoError) {
    calls = try Self.findCalls()
    (self.width, self.height) = (width, height)
    output = OutputBox()
    surface = open(calls, output)
    context = calls.cairo_create(surface)
    try check(calls.cairo_status(context))
    layout = makeLayout()
    guard hasFonts else { throw .noFonts }
    calls.cairo_set_line_join(context, Code.roundJoin)
    calls.cairo_set_fill_rule(context, Code.evenOdd)
  }

  deinit {
    for font in fonts.values { calls.pango_font_description_free(font) }
    if let layout { calls.g_object_unref(UnsafeMutableRawPointer(layout)) }
    calls.cairo_destroy(context)
    // Writes the end of a PDF file, if it was not written yet.
    calls.cairo_surface_finish(surface)
    calls.cairo_surface_destroy(surface)
  }

  private static func findCalls() throws(CairoError) -> portolan_cairo {
    let place = UnsafeMutablePointer<portolan_cairo>.allocate(capacity: 1)
    defer { place.deallocate() }
    if let library = portolan_cairo_find(place) {
      throw .missing(library: String(cString: library))
    }
    return place.pointee
  }

  private func makeLayout() -> OpaquePointer? {
    let layout = calls.pango_cairo_create_layout(context)
    let options = calls.cairo_font_options_create()
    defer { calls.cairo_font_options_destroy(options) }
    calls.cairo_font_options_set_antialias(options, Code.grey)
    // Letters keep their shapes and distances at every place.
    calls.cairo_font_options_set_hint_style(options, Code.noHints)
    calls.cairo_font_options_set_hint_metrics(options, Code.noHintedMetrics)
    let texts = calls.pango_layout_get_context(layout)
    calls.pango_cairo_context_set_font_options(texts, options)
    calls.pango_context_set_round_glyph_positions(texts, 0)
    calls.pango_layout_set_single_paragraph_mode(layout, 1)
    return layout
  }

  /// The colours of a picture of pixels, row by row: red, green and blue in the lower three bytes.
  package func pixels() throws(CairoError) -> [UInt32] {
    try samples().map { $0 & 0xFF_FFFF }
  }

  /// The pixels, row by row: opacity, red, green and blue from the highest byte to the lowest.
  func samples() throws(CairoError) -> [UInt32] {
    try check(calls.cairo_status(context))
    calls.cairo_surface_flush(surface)
    guard let bytes = calls.cairo_image_surface_get_data(surface), width > 0, height > 0 else {
      throw .failed("a page has no pixels")
    }
    let stride = Int(calls.cairo_image_surface_get_stride(surface))
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      let line = UnsafeRawPointer(bytes + row * stride)
      for column in 0..<width {
        pixels.append(line.load(fromByteOffset: 4 * column, as: UInt32.self))
      }
    }
    return pixels
  }

  /// Takes everything in the path from another picture of the same size.
  package func take(from other: CairoSurface) {
    calls.cairo_save(context)
    calls.cairo_clip(context)
    calls.cairo_scale(context, 1 / unit.width, 1 / unit.height)
    calls.cairo_set_source_surface(context, other.surface, 0, 0)
    calls.cairo_set_operator(context, Code.source)
    calls.cairo_paint(context)
    calls.cairo_restore(context)
  }

  private func check(_ status: Int32) throws(CairoError) {
    guard status != 0 else { return }
    let words = calls.cairo_status_to_string(status).map { String(cString: $0) }
    throw .failed(words ?? "status \(status)")
  }

  // MARK: Results

  /// The picture as a PNG file.
  ///
  /// - Parameter dotsPerInch: the pixels an inch that the file tells; `nil` for nothing.
  package func png(dotsPerInch: Int?) throws(CairoError) -> [UInt8] {
    let file = try png()
    guard let dotsPerInch, let head = Self.endOfHead(of: file) else { return file }
    let perMetre = Int((Double(dotsPerInch) / 0.0254).rounded())
    var density: [UInt8] = []
    append("pHYs", bigEndian(perMetre) + bigEndian(perMetre) + [1], to: &density)
    return file[..<head] + density + file[head...]
  }

  /// The end of a PNG file's first chunk: of 13 bytes, behind the signature of 8.
  private static func endOfHead(of file: [UInt8]) -> Int? {
    let end = 8 + 8 + 13 + 4
    return file.count >= end ? end : nil
  }

  /// The picture as a PNG file that does not tell the size of its pixels.
  package func png() throws(CairoError) -> [UInt8] {
    try check(calls.cairo_status(context))
    output.bytes = []
    try check(
      calls.cairo_surface_write_to_png_stream(
        surface, Self.take, Unmanaged.passUnretained(output).toOpaque()))
    return output.bytes
  }

  /// The page as a PDF file; nothing can be drawn after it.
  package func pdf() throws(CairoError) -> [UInt8] {
    try check(calls.cairo_status(context))
    calls.cairo_surface_finish(surface)
    try check(calls.cairo_surface_status(surface))
    return output.bytes
  }

  /// The numbers that stand for choices in cairo and Pango.
  enum Code {
    /// CAIRO_FORMAT_ARGB32 and _RGB24.
    static let clearPixels: Int32 = 0
    static let opaquePixels: Int32 = 1
    /// CAIRO_PDF_METADATA_TITLE and _CREATE_DATE.
    static let title: Int32 = 0
    static let creationDate: Int32 = 5
    /// CAIRO_LINE_JOIN_ROUND, CAIRO_LINE_CAP_BUTT and _ROUND.
    static let roundJoin: Int32 = 1
    static let buttCap: Int32 = 0
    static let roundCap: Int32 = 1
    /// CAIRO_OPERATOR_SOURCE, _OVER and _DEST_OUT.
    static let source: Int32 = 1
    static let over: Int32 = 2
    static let erase: Int32 = 9
    /// CAIRO_FILL_RULE_EVEN_ODD.
    static let evenOdd: Int32 = 1
    static let winding: Int32 = 0
    /// CAIRO_ANTIALIAS_GRAY, CAIRO_HINT_STYLE_NONE, CAIRO_HINT_METRICS_OFF.
    static let grey: Int32 = 2
    static let noHints: Int32 = 1
    static let noHintedMetrics: Int32 = 1
    /// PANGO_WEIGHT_NORMAL and _BOLD.
    static let normalWeight: Int32 = 400
    static let boldWeight: Int32 = 700
    /// PANGO_STYLE_NORMAL and _ITALIC.
    static let uprightStyle: Int32 = 0
    static let italicStyle: Int32 = 2
    /// PANGO_SCALE: Pango's lengths in a unit.
    static let pangoUnits = 1024.0
  }
}
