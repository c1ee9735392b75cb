/// Writes pixels as sixels: columns of six pixels a character, colour by colour (DEC STD 070).
struct SixelWriter {
  private(set) var bytes: [UInt8] = []
  private let pixels: [UInt32]
  private let width: Int

  /// - Parameters:
  ///   - pixels: row by row; red, green and blue in the lower three bytes.
  ///   - width: the pixels of a row.
  init(_ pixels: [UInt32], width: Int) {
    self.pixels = pixels
    self.width = width
    let height = width > 0 ? pixels.count / width : 0
    let palette = SixelPalette(pixels)
    write("\u{1B}P0;1;0q\"1;1;\(width);\(height)")
    for (index, colour) in palette.colours.enumerated() {
      write("#\(index);2;\(Self.percent(colour >> 16))")
      write(";\(Self.percent(colour >> 8));\(Self.percent(colour))")
    }
    var columns = [[UInt8]](
      repeating: [UInt8](repeating: 0, count: width), count: palette.colours.count)
    for top in stride(from: 0, to: height, by: 6) {
      writeBand(top..<min(top + 6, height), palette, &columns)
    }
    write("\u{1B}\\\n")
  }

  private static func percent(_ channel: UInt32) -> UInt32 { ((channel & 0xFF) * 100 + 127) / 255 }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes six rows.
  ///
  /// - Parameter columns: for each colour a row of zeros, and so afterwards.
  private mutating func writeBand(
    _ rows: Range<Int>, _ palette: SixelPalette, _ columns: inout [[UInt8]]
  ) {
    var isUsed = [Bool](repeating: false, count: columns.count)
    for row in rows {
      let bit = UInt8(1) << UInt8(row - rows.lowerBound)
      for column in 0..<width {
        let colour = palette.index(of: pixels[row * width + column])
        isUsed[colour] = true
        columns[colour][column] |= bit
      }
    }
    for colour in isUsed.indices where isUsed[colour] {
      write("#\(colour)")
      writeRuns(columns[colour])
      write("$")
      for column in 0..<width { columns[colour][column] = 0 }
    }
    write("-")
  }

  private mutating func writeRuns(_ columns: [UInt8]) {
    var start = 0
    while start < columns.count {
      let value = columns[start]
      let end = columns[start...].firstIndex { $0 != value } ?? columns.count
      if end == columns.count && value == 0 { return }
      let sign = value + 63
      if end - start > 3 {
        write("!\(end - start)")
        bytes.append(sign)
      } else {
        for _ in start..<end { bytes.append(sign) }
      }
      start = end
    }
  }
}

/// At most 256 colours for a picture: its own, or the most frequent of similar ones.
struct SixelPalette {
  private static let coloursMax = 256

  private(set) var colours: [UInt32] = []
  /// The palette's index by colour, or by the first five bits of each channel.
  private var exact: [UInt32: Int] = [:]
  private var similar: [Int] = []

  init(_ pixels: [UInt32]) {
    for pixel in pixels where exact[pixel] == nil {
      if exact.count == Self.coloursMax {
        exact = [:]
        colours = []
        reduce(pixels)
        return
      }
      exact[pixel] = exact.count
      colours.append(pixel)
    }
  }

  func index(of colour: UInt32) -> Int {
    similar.isEmpty ? exact[colour] ?? 0 : similar[Self.group(of: colour)]
  }

  private static func group(of colour: UInt32) -> Int {
    let red = colour >> 19 & 31
    let green = colour >> 11 & 31
    let blue = colour >> 3 & 31
    return Int(red << 10 | green << 5 | blue)
  }

  private mutating func reduce(_ pixels: [UInt32]) {
    var sums = [SIMD4<Int>](repeating: .zero, count: 1 << 15)
    for pixel in pixels {
      let (red, green) = (Int(pixel >> 16 & 0xFF), Int(pixel >> 8 & 0xFF))
      sums[Self.group(of: pixel)] &+= SIMD4(red, green, Int(pixel & 0xFF), 1)
    }
    let groups = sums.indices.filter { sums[$0].w > 0 }
      .sorted { (sums[$1].w, $0) < (sums[$0].w, $1) }
    let means = groups.map { group -> SIMD4<Int> in
      var mean = sums[group]
      let count = mean.w
      mean.w = 0
      mean &+= SIMD4(repeating: count / 2)
      return SIMD4(mean.x / count, mean.y / count, mean.z / count, 0)
    }
    let kept = means.prefix(Self.coloursMax)
    colours = kept.map { mean -> UInt32 in
      let colour = mean.x << 16 | mean.y << 8 | mean.z
      return UInt32(truncatingIfNeeded: colour)
    }
    similar = [Int](repeating: 0, count: sums.count)
    for (index, group) in groups.enumerated() {
      if index < kept.count {
        similar[group] = index
        continue
      }
      var best = (index: 0, distance: Int.max)
      for (candidate, mean) in kept.enumerated() {
        let step = mean &- means[index]
        let distance: Int = (step &* step).wrappedSum()
        if distance < best.distance { best = (candidate, distance) }
      }
      similar[group] = best.index
    }
  }
}
