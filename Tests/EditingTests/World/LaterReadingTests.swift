import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanKeeping
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Editors of large documents, which are shown before all their coordinates are read.
@Suite struct LaterReadingTests {
  /// An editor whose reading of the rest is held back.
  struct Seat {
    var desk = Desk()
    let world: World
    private var held: [Effect] = []

    init(_ files: any FileSystem, isLater: Bool = true) {
      var options = World.Options()
      options.guardsDocuments = true
      options.partialReading.settlingTime = 0
      options.partialReading.wholeCountMin = 1
      options.partialReading.laterCountMin = isLater ? 1 : .max
      world = World(files: files, options: options)
      desk.resize(to: CellSize(columns: 100, rows: 40))
    }

    mutating func run(_ line: String) throws {
      try desk.run(line: line)
      try carryOut(desk.takeEffects())
    }

    mutating func carryOut(_ effects: [Effect]) throws {
      for effect in effects {
        if case .perform(let request, _) = effect, request.followsPicture {
          held.append(effect)
        } else if let reply = try world.perform(effect) {
          try carryOut(desk.handle(reply))
        }
      }
    }

    /// Reads the rest.
    mutating func readRest() throws {
      for effect in held {
        if let reply = try world.perform(effect) { try carryOut(desk.handle(reply)) }
      }
      held = []
    }

    var message: String { desk.message?.text ?? "" }

    /// The map as text.
    func picture() -> String { MapPane.picture(of: desk).plainText() }
  }

  /// The names of a folder, without hidden ones.
  private func names(_ files: MemoryFileSystem) throws -> [String] {
    try files.names(in: "/m").filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Two layers of lines, some of many vertices, and one of points.
  private func map(_ random: inout SeededGenerator) throws -> Document {
    var document = Document()
    for name in ["ways", "tracks"] {
      var layer = FeatureLayer(
        id: LayerID(document.makeID()), name: name, style: .standard(forDimension: 1, index: 0))
      for number in 0..<Int.random(in: 2...5, using: &random) {
        var (x, y) = (
          Double.random(in: -90...90, using: &random), Double.random(in: -40...40, using: &random)
        )
        let line = (0..<Int.random(in: 2...9_000, using: &random)).map { _ in
          x += .random(in: -0.5...0.5, using: &random)
          y += .random(in: -0.3...0.3, using: &random)
          return Coordinate(x: min(max(x, -179), 179), y: min(max(y, -80), 80))
        }
        _ = layer.add(geometry: .line(line), attributes: [("name", .string("\(name) \(number)"))])
      }
      document.layers.append(layer)
    }
    var towns = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns", style: .standard(forDimension: 0, index: 2))
    for number in 0..<20 {
      let place = Coordinate(
        x: .random(in: -90...90, using: &random), y: .random(in: -40...40, using: &random))
      _ = towns.add(geometry: .point(place), attributes: [("name", .string("town \(number)"))])
    }
    document.layers.append(towns)
    return document
  }

  @Test(arguments: Seeds.some(6))
  func `What is looked at before the rest is read is the same as afterwards`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = try DocumentArchive.bytes(of: map(&random))
    let files = MemoryFileSystem(files: ["/m/a.doc": bytes])
    var later = Seat(files)
    var whole = Seat(MemoryFileSystem(files: ["/m/a.doc": bytes]), isLater: false)
    try later.run("open /m/a.doc")
    try whole.run("open /m/a.doc")
    #expect(later.desk.document.hasUnreadCoordinates && !whole.desk.document.hasUnreadCoordinates)
    #expect(later.picture() == whole.picture())
    let lines = [
      "zoom in", "zoom in 2", "zoom out", "pan left half", "pan cells 3 4", "go 10 10",
      "search town", "select where $length > 1e6", "select all", "select here", "fit",
      "fit selection", "layer tracks", "layer towns", "filter $vertices > 100", "filter off",
      "select none", "where", "measure 0,0 10,10",
    ]
    for _ in 0..<8 {
      let line = try #require(lines.randomElement(using: &random))
      func run(_ seat: inout Seat) -> String {
        seat.desk.session.message = nil
        do { try seat.run(line) } catch { return "\(error)" }
        return seat.message
      }
      #expect(run(&later) == run(&whole), "\(line)")
      #expect(later.picture() == whole.picture(), "\(line)")
    }
    try later.readRest()
    #expect(!later.desk.document.hasUnreadCoordinates)
    #expect(later.picture() == whole.picture())
    #expect(try DocumentArchive.bytes(of: later.desk.document) == bytes)
  }

  @Test func `Edits, saves, copies and exports wait for the rest, and then are made`() throws {
    var random = SeededGenerator(seed: 1)
    let files = MemoryFileSystem(files: ["/m/a.doc": try DocumentArchive.bytes(of: map(&random))])
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    try seat.run("select all")
    let lines = [
      "new-layer x", "delete", "save", "save /m/b.doc", "duplicate", "yank", "info",
      "export -o /m/x.csv", "render -o /m/x.svg", "yank --as geojson", "statistics", "check",
      "frequency name", "compare /m/b.doc",
    ]
    for line in lines {
      #expect("\(line)") {
        try seat.run(line)
      } throws: { ($0 as? EditingError)?.message == "a.doc is still being read: wait for it" }
    }
    #expect(try names(files) == ["a.doc"])
    try seat.readRest()
    #expect(!seat.desk.file.isPart)
    for line in ["new-layer x", "save", "export --layers towns -o /m/x.csv"] { try seat.run(line) }
    #expect(try names(files) == ["a.doc", "x.csv"])
  }

  @Test func `A file that is changed meanwhile is read again, and no step leads back`() throws {
    var random = SeededGenerator(seed: 2)
    let files = MemoryFileSystem(files: ["/m/a.doc": try DocumentArchive.bytes(of: map(&random))])
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    let new = try DocumentArchive.bytes(of: map(&random))
    files.put(new, at: "/m/a.doc")
    try seat.readRest()
    #expect(!seat.desk.file.isPart)
    #expect(try DocumentArchive.bytes(of: seat.desk.document) == new)
    #expect(throws: (any Error).self) { try seat.run("undo") }
    try seat.run("new-layer x")
    try seat.run("save")
    #expect(seat.message == "saved /m/a.doc")
  }

  @Test func `A file that is removed meanwhile is read to its end, and saved again`() throws {
    var random = SeededGenerator(seed: 6)
    let bytes = try DocumentArchive.bytes(of: map(&random))
    let files = MemoryFileSystem(files: ["/m/a.doc": bytes])
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    try files.remove("/m/a.doc", in: nil)
    try seat.readRest()
    #expect(!seat.desk.file.isPart)
    try seat.run("save")
    #expect(try files.read("/m/a.doc", limit: 1 << 30) == bytes, "\(seat.message)")
  }

  @Test func `Edits made after all was read are not lost by :revert`() throws {
    var random = SeededGenerator(seed: 7)
    let bytes = try DocumentArchive.bytes(of: map(&random))
    var seat = Seat(MemoryFileSystem(files: ["/m/a.doc": bytes]))
    try seat.run("open /m/a.doc")
    try seat.run("cancel")
    #expect(try seat.desk.document.readCoordinates { _ in })
    try seat.run("new-layer x")
    try seat.run("revert")
    #expect(seat.desk.document.layers.count == 3)
    try seat.run("undo")
    #expect(seat.desk.document.layers.count == 4)
  }

  @Test func `What is lost is not asked about`() throws {
    var random = SeededGenerator(seed: 8)
    let files = MemoryFileSystem(files: ["/m/a.doc": try DocumentArchive.bytes(of: map(&random))])
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    files.put(try DocumentArchive.bytes(of: map(&random)), at: "/m/a.doc")
    try seat.run("layer tracks")
    #expect(throws: EditingError.self) { try seat.run("select where $length > 0") }
    #expect(seat.desk.selection.count == 0)
    #expect(throws: (any Error).self) { _ = try DocumentArchive.bytes(of: seat.desk.document) }
    try seat.run("revert")
    try seat.run("select where $length > 0")
    #expect(seat.desk.selection.count > 0)
  }

  @Test func `Boxes in the file that do not fit give way to those of the coordinates`() throws {
    var random = SeededGenerator(seed: 3)
    let document = try map(&random)
    var bytes = try DocumentArchive.bytes(of: document)
    let blocks = document.layers.compactMap { $0 as? FeatureLayer }.flatMap(\.blocks)
    let box = try #require(blocks.first { $0.geometry.vertexCount > 5_000 }?.geometry.boxes[0])
    let pattern = [box.minX, box.minY, box.maxX].flatMap { number in
      withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
    }
    let place = try #require(
      bytes.indices.dropLast(pattern.count).first {
        bytes[$0] == pattern[0] && Array(bytes[$0..<$0 + pattern.count]) == pattern
      })
    bytes.replaceSubrange(
      place..<place + 8, with: withUnsafeBytes(of: (-179.5).bitPattern.littleEndian) { Array($0) })
    var seat = Seat(MemoryFileSystem(files: ["/m/a.doc": bytes]))
    try seat.run("open /m/a.doc")
    #expect(seat.desk.document.extent != document.extent)
    try seat.readRest()
    #expect(!seat.desk.file.isPart)
    #expect(seat.desk.document.extent == document.extent)
    let read = try DocumentArchive.bytes(of: seat.desk.document)
    #expect(try read == DocumentArchive.bytes(of: document))
  }

  @Test func `After Ctrl-C the map is shown, and :revert reads the rest`() throws {
    var random = SeededGenerator(seed: 4)
    let bytes = try DocumentArchive.bytes(of: map(&random))
    var seat = Seat(MemoryFileSystem(files: ["/m/a.doc": bytes]))
    try seat.run("open /m/a.doc")
    try seat.run("cancel")
    #expect(seat.message == "cancelled: reading a.doc")
    #expect {
      try seat.run("new-layer x")
    } throws: { error in
      (error as? EditingError)?.message == "a.doc was not read to its end: :revert reads it"
    }
    try seat.run("revert")
    #expect(!seat.desk.file.isPart)
    #expect(try DocumentArchive.bytes(of: seat.desk.document) == bytes)
    try seat.run("new-layer x")
  }

  @Test func `The lines of a script wait until the rest is read`() throws {
    var random = SeededGenerator(seed: 5)
    let files = MemoryFileSystem(files: ["/m/a.doc": try DocumentArchive.bytes(of: map(&random))])
    var seat = Seat(files)
    try seat.desk.queueScript("open /m/a.doc\nnew-layer x\nsave /m/b.doc", name: "s")
    let effects = seat.desk.handle(.remark("begin"))
    try seat.carryOut(effects)
    #expect(try names(files) == ["a.doc"])
    try seat.readRest()
    #expect(try names(files) == ["a.doc", "b.doc"], "\(seat.message)")
  }
}
