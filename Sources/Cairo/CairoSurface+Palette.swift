import PortolanCCairo

/// Pictures of few colours, for a way on which bytes count.
extension CairoSurface {
  /// The picture as a PNG file with a palette: a fourth of the bytes of one with all colours.
  ///
  /// - Complexity: O(pixels) and O(colours).
  package func smallPNG() throws(CairoError) -> [UInt8] {
    let reduced = ReducedColours(try samples())
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // 8 bits a pixel, numbers of a palette, no interlacing.
    append("IHDR", bigEndian(width) + bigEndian(height) + [8, 3, 0, 0, 0], to: &file)
    append("PLTE", reduced.colours.flatMap { Self.channels($0).prefix(3) }, to: &file)
    append("tRNS", reduced.colours.map { UInt8(truncatingIfNeeded: $0 >> 24) }, to: &file)
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for row in 0..<height {
      // Numbers of colours have no likeness to their neighbours: no filter.
      rows.append(0)
      rows += reduced.numbers[row * width..<(row + 1) * width]
    }
    append("IDAT", try compressed(rows), to: &file)
    append("IEND", [], to: &file)
    return file
  }

  private func compressed(_ bytes: [UInt8]) throws(CairoError) -> [UInt8] {
    var count = calls.compressBound(UInt(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(clamping: count))
    let status = calls.compress2(&output, &count, bytes, UInt(bytes.count), 6)
    guard status == 0 else { throw .failed("zlib: status \(status)") }
    return Array(output.prefix(Int(clamping: count)))
  }

  /// Appends a chunk: length, name, bytes, checksum.
  func append(_ name: String, _ bytes: [UInt8], to file: inout [UInt8]) {
    let checked = Array(name.utf8) + bytes
    let checksum = calls.crc32(0, checked, UInt32(clamping: checked.count))
    file += bigEndian(bytes.count) + checked + bigEndian(Int(clamping: checksum))
  }

  func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Red, green, blue and opacity of a sample, whose colours are multiplied by the opacity.
  private static func channels(_ sample: UInt32) -> [UInt8] {
    let opacity = sample >> 24
    let colours = [16, 8, 0].map { shift -> UInt8 in
      let level = sample >> UInt32(shift) & 0xFF
      return opacity == 0 ? 0 : UInt8(clamping: (level * 255 + opacity / 2) / opacity)
    }
    return colours + [UInt8(truncatingIfNeeded: opacity)]
  }
}

/// The most frequent colours of a picture, which stand for all others.
struct ReducedColours {
  /// So many are kept; beyond them those of whole areas, as far as a palette has room.
  private static let usualMax = 64
  private static let most = 256
  private static let areaPixels = 400

  /// The most frequent first.
  let colours: [UInt32]
  /// The number of each pixel's colour.
  let numbers: [UInt8]

  init(_ samples: [UInt32]) {
    var counts: [UInt32: Int] = [:]
    var start = 0
    while start < samples.count {
      var end = start + 1
      while end < samples.count, samples[end] == samples[start] { end += 1 }
      counts[samples[start], default: 0] += end - start
      start = end
    }
    let order = counts.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
    colours = order.prefix(Self.most).enumerated().prefix { index, entry in
      index < Self.usualMax || entry.value >= Self.areaPixels
    }.map(\.element.key)
    var known: [UInt32: UInt8] = [:]
    for (number, colour) in colours.enumerated() { known[colour] = UInt8(clamping: number) }
    var numbers: [UInt8] = []
    numbers.reserveCapacity(samples.count)
    var last: (sample: UInt32, number: UInt8)?
    for sample in samples {
      if let last, last.sample == sample {
        numbers.append(last.number)
        continue
      }
      let number = known[sample] ?? Self.nearest(to: sample, in: colours)
      known[sample] = number
      last = (sample, number)
      numbers.append(number)
    }
    self.numbers = numbers
  }

  private static func nearest(to sample: UInt32, in colours: [UInt32]) -> UInt8 {
    var best = (number: 0, distance: Int32.max)
    for (number, colour) in colours.enumerated() {
      var distance: Int32 = 0
      for shift: UInt32 in [0, 8, 16, 24] {
        let step = Int32(sample >> shift & 0xFF) - Int32(colour >> shift & 0xFF)
        distance += step * step
      }
      if distance < best.distance { best = (number, distance) }
    }
    return UInt8(clamping: best.number)
  }
}
