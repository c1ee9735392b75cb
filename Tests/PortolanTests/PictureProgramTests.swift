import Foundation
import PortolanTestSupport
import Testing

/// The pictures that cairo draws, as files of the program.
@Suite struct PictureProgramTests {
  private static func has(_ library: String) -> Bool {
    guard let handle = dlopen(library, RTLD_NOW) else { return false }
    dlclose(handle)
    return true
  }

  private static let hasCairo = has("libcairo.so.2") && has("libpangocairo-1.0.so.0")
  private static let converter = "/usr/bin/rsvg-convert"
  private static let python = "/usr/bin/python3"
  private static let hasConverter =
    [converter, python].allSatisfy(FileManager.default.isExecutableFile)

  /// Prints the mean red, green and blue of 12x9 parts of a PNG file.
  private static let means = """
    import sys, zlib
    data = open(sys.argv[1], 'rb').read()
    place, packed = 8, b''
    while place < len(data):
        size, kind = int.from_bytes(data[place:place + 4], 'big'), data[place + 4:place + 8]
        body = data[place + 8:place + 8 + size]
        if kind == b'IHDR':
            width, height = int.from_bytes(body[:4], 'big'), int.from_bytes(body[4:8], 'big')
            channels = {2: 3, 6: 4}[body[9]]
        if kind == b'IDAT': packed += body
        place += 12 + size
    rows, line = zlib.decompress(packed), bytearray(width * channels)
    sums = [[0, 0, 0, 0] for _ in range(108)]
    for y in range(height):
        start = y * (width * channels + 1)
        kind, row = rows[start], bytearray(rows[start + 1:start + 1 + width * channels])
        for i in range(len(row)):
            left = row[i - channels] if i >= channels else 0
            above, corner = line[i], line[i - channels] if i >= channels else 0
            guess = left + above - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - above), 1, above),
                        (abs(guess - corner), 2, corner))[2]
            row[i] = (row[i] + [0, left, above, (left + above) // 2, paeth][kind]) & 255
        line = row
        for x in range(width):
            cell = sums[y * 9 // height * 12 + x * 12 // width]
            for c in range(3): cell[c] += row[x * channels + c]
            cell[3] += 1
    print(' '.join('%.2f' % (cell[c] / cell[3]) for cell in sums for c in range(3)))
    """

  /// A map of random areas, lines and points with names.
  private func map(_ seed: UInt64) -> String {
    var numbers = SeededGenerator(seed: seed)
    func position() -> String {
      let (x, y) = (
        Double.random(in: -60...60, using: &numbers), Double.random(in: -40...40, using: &numbers)
      )
      return "[\(x),\(y)]"
    }
    func row(_ count: Int) -> String { (0..<count).map { _ in position() }.joined(separator: ",") }
    let features = (0..<30).map { index in
      let geometry =
        switch index % 3 {
        case 0: "{\"type\":\"Point\",\"coordinates\":\(position())}"
        case 1: "{\"type\":\"LineString\",\"coordinates\":[\(row(5))]}"
        default:
          {
            let first = position()
            return "{\"type\":\"Polygon\",\"coordinates\":[[\(first),\(row(3)),\(first)]]}"
          }()
        }
      return "{\"type\":\"Feature\",\"properties\":{\"name\":\"Náme \(index)\"},"
        + "\"geometry\":\(geometry)}"
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  @Test(.enabled(if: hasCairo, "skipped: cairo or Pango is absent"), arguments: ["png", "pdf"])
  func `A name that no font has all letters of is told`(ending: String) throws {
    let program = try Program()
    defer { program.remove() }
    for (name, letters) in [("plain", "Oslo"), ("odd", "Os\u{10F123}lo")] {
      let text = """
        {"type":"Feature","properties":{"name":"\(letters)"},
        "geometry":{"type":"Point","coordinates":[10,59]}}
        """
      try program.write(text, to: "\(name).geojson")
      let result = try program.run(["render", "\(name).geojson", "-o", "\(name).\(ending)"])
      #expect(result.status == 0)
      #expect(result.errors.contains("no installed font") == (name == "odd"), "\(result.errors)")
      #expect(!result.errors.contains("\u{10F123}"))
    }
  }

  @Test(
    .enabled(
      if: hasCairo && hasConverter, "skipped: cairo, Pango, rsvg-convert or python3 is absent"),
    arguments: Seeds.some(4))
  func `What SVG draws, PNG draws`(seed: UInt64) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(map(seed), to: "a.geojson")
    try program.write(Self.means, to: "means.py")
    let options = [
      "--size", "480x360", "--graticule", "--north", "--scalebar", "--legend", "--title", "Title",
      "--credit", "Credit", "--paper", seed % 2 == 0 ? "light" : "dark",
    ]
    for file in ["a.svg", "a.png"] {
      let result = try program.run(["render", "a.geojson", "-o", file] + options)
      #expect(result.status == 0, "\(result.errors)")
    }
    let converted = try program.shell("\(Self.converter) a.svg -o b.png")
    try #require(converted.status == 0, "\(converted.errors)")
    let means = try ["a.png", "b.png"].map { file in
      try program.shell("\(Self.python) means.py \(file)").output.split(separator: " ")
        .compactMap { Double($0.filter { !$0.isWhitespace }) }
    }
    try #require(means[0].count == 324 && means[1].count == 324)
    let differences = zip(means[0], means[1]).map { abs($0 - $1) }
    #expect((differences.max() ?? 255) < 8)
    #expect(differences.reduce(0, +) / 324 < 1)
    // A picture of nothing would be as equal.
    #expect(Set(means[0]).count > 50)
  }

  @Test(
    .enabled(if: hasCairo, "skipped: cairo or Pango is absent"),
    arguments: ["png", "pdf"])
  func `A file is whole or absent, and the same each time`(format: String) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(map(1), to: "a.geojson")
    let words = ["render", "a.geojson", "--legend", "--size", "300x200"]
    #expect(try program.run(words + ["-o", "a.\(format)"]).status == 0)
    let standard = try program.run(words + ["--format", format, "-o", "-"])
    let file = try Data(contentsOf: program.folder.appendingPathComponent("a.\(format)"))
    #expect(standard.outputBytes == file && file.count > 1000)
    #expect(file.suffix(12).contains(format == "png" ? 0x49 : 0x25))
    let refused = try program.run(words + ["-o", "a.\(format)"])
    #expect(refused.status == 4)
    #expect(try Data(contentsOf: program.folder.appendingPathComponent("a.\(format)")) == file)
    #expect(Set(program.files) == ["a.\(format)", "a.geojson"])
  }

  @Test(arguments: [("libcairo.so.2", "libcairo2"), ("libpango-1.0.so.0", "libpangocairo-1.0-0")])
  func `Without its libraries a picture says what to install`(
    library: String, package: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(map(1), to: "a.geojson")
    // A file that is no library, where the system looks first.
    try program.write("", to: library)
    let files = program.files
    let result = try program.run(
      ["render", "a.geojson", "-o", "a.png"], environment: ["LD_LIBRARY_PATH": program.folder.path])
    #expect(result.status == 4)
    #expect(result.errors.contains("apt-get install") && result.errors.contains(package))
    #expect(result.errors.filter(\.isNewline).count == 1, "\(result.errors)")
    #expect(program.files == files)
    let text = try program.run(
      ["render", "a.geojson", "-o", "a.svg"], environment: ["LD_LIBRARY_PATH": program.folder.path])
    #expect(text.status == 0, "\(text.errors)")
  }

  @Test(.enabled(if: hasCairo, "skipped: cairo or Pango is absent"))
  func `Without fonts a picture says what to install`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(map(1), to: "a.geojson")
    try program.write("<fontconfig><cachedir>c</cachedir></fontconfig>", to: "fonts.conf")
    let result = try program.run(
      ["render", "a.geojson", "-o", "a.pdf"],
      environment: ["FONTCONFIG_FILE": program.path("fonts.conf")])
    #expect(result.status == 4, "\(result.errors)")
    #expect(result.errors.contains("fonts-dejavu-core"), "\(result.errors)")
    #expect(!program.files.contains("a.pdf"))
  }
}
