import PortolanTerminals

/// The pictures of pixels below a frame's characters, behind its spans.
///
/// Each is an area (column, row, columns, rows) and 0 with the bytes of a PNG file, or one and the
/// place of a picture of the last frame with the same file.
extension FrameChange {
  /// The most pictures of a frame.
  private static let picturesMax = 8
  /// The most pixels of a picture: more than any screen has.
  private static let pixelsMax = 25_000_000
  /// The bytes before the width in a PNG file, up to the name of its first part.
  private static let head: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
  ]

  static func bytes(of pictures: [FramePicture], since base: Frame?) -> [UInt8] {
    var writer = PackedWriter()
    writer.write(list: Array(pictures.prefix(picturesMax))) { writer, picture in
      picture.rect.write(to: &writer)
      let former = base?.pictures.prefix(picturesMax).firstIndex { $0.image === picture.image }
      writer.write(former.map { $0 + 1 } ?? 0)
      if former == nil { writer.write(picture.image.png) }
    }
    return writer.bytes
  }

  static func pictures(
    _ reader: inout PackedReader, _ size: CellSize, _ former: [FramePicture]
  ) throws(PackedBytesError) -> [FramePicture] {
    try reader.list(atMost: picturesMax) { reader throws(PackedBytesError) in
      let rect = try CellRect(from: &reader)
      guard !rect.isEmpty, rect.column + rect.columns <= size.columns,
        rect.row + rect.rows <= size.rows
      else { throw reader.fault("a picture beyond the frame") }
      let place = try reader.number(atMost: former.count)
      if place > 0 { return FramePicture(former[place - 1].image, in: rect) }
      let png = try reader.data(atMost: StillDrawing.bytesMax)
      guard isPicture(png) else { throw reader.fault("a picture that is no PNG file") }
      return FramePicture(PixelImage(png: png), in: rect)
    }
  }

  /// Whether bytes begin as a PNG file of a size that a terminal can be given.
  private static func isPicture(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= head.count + 8, bytes.starts(with: head) else { return false }
    func number(_ place: Int) -> Int {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let (width, height) = (number(head.count), number(head.count + 4))
    return width > 0 && height > 0 && width <= pixelsMax && height <= pixelsMax / width
  }
}

extension CellRect {
  /// Writes column, row, columns and rows.
  func write(to writer: inout PackedWriter) {
    for number in [column, row, columns, rows] {
      writer.write(min(max(0, number), Frame.extentMax))
    }
  }

  init(from reader: inout PackedReader) throws(PackedBytesError) {
    let column = try reader.number(atMost: Frame.extentMax)
    let row = try reader.number(atMost: Frame.extentMax)
    let columns = try reader.number(atMost: Frame.extentMax)
    let rows = try reader.number(atMost: Frame.extentMax)
    self.init(column: column, row: row, columns: columns, rows: rows)
  }
}
