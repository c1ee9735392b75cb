import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanKeeping

/// Documents of which a part is read, while the disk fails or another program writes.
@Suite struct PartOpeningTests {
  private func options(
    _ change: (inout DocumentStore.Options) -> Void = { _ in }
  )
    -> DocumentStore.Options
  {
    var options = DocumentStore.Options()
    options.partialReading.countMin = 1
    options.partialReading.settlingTime = 0
    change(&options)
    return options
  }

  private func isPart(_ opened: StoredDocument) -> Bool {
    opened.contents.document.layers.compactMap { $0 as? any FeatureHolding }
      .contains { $0.blocks.contains { $0.geometry.isOutline } }
  }

  @Test func `A large document is opened in part, a small, a fresh or an edited one whole`() throws
  {
    let bytes = try DocumentArchive.bytes(of: .towns)
    let files = MemoryFileSystem(files: ["/a.doc": bytes])
    func isPart(_ change: (inout DocumentStore.Options) -> Void) throws -> Bool {
      try self.isPart(
        DocumentStore(files: files, options: options(change)).open("/a.doc", for: .attributes))
    }
    #expect(try isPart { _ in })
    #expect(try !isPart { $0.partialReading.countMin = bytes.count + 1 })
    #expect(try !isPart { $0.partialReading.settlingTime = 1_000_000_000 })
    #expect(try !isPart { $0.guardsDocuments = true })
    #expect(try !isPart { $0.keepsEdits = true })
    let whole = try DocumentStore(files: files, options: options()).open("/a.doc", for: .all)
    #expect(!self.isPart(whole))
  }

  @Test func `Whichever call fails, there is an error or a sound answer`() throws {
    let files = MemoryFileSystem(files: ["/a.doc": try DocumentArchive.bytes(of: .towns)])
    let counting = FailingFileSystem(files)
    _ = try DocumentStore(files: counting, options: options()).open("/a.doc", for: .attributes)
    for call in 1...counting.callCount + 1 {
      for plan in [FailingFileSystem.Plan.once(number: call), .from(number: call)] {
        let failing = FailingFileSystem(files, plan: plan, number: 5)
        let store = DocumentStore(files: failing, options: options())
        guard let opened = try? store.open("/a.doc", for: .attributes) else {
          #expect(failing.failureCount > 0)
          continue
        }
        #expect(opened.contents.document.layers.map(\.count) == [2])
        #expect(opened.contents.document.extent == Document.towns.extent)
      }
    }
  }

  @Test func `A file that is written meanwhile is read again, and that is told`() throws {
    let (old, new) = (Document.towns.titled("old"), Document.towns.titled("new, and longer"))
    let bytes = try [old, new].map { try DocumentArchive.bytes(of: $0) }
    let counting = FailingFileSystem(MemoryFileSystem(files: ["/a.doc": bytes[0]]))
    _ = try DocumentStore(files: counting, options: options()).open("/a.doc", for: .attributes)
    var told = 0
    for number in 1...counting.callCount {
      let files = MemoryFileSystem(files: ["/a.doc": bytes[0]])
      let calls = Atomic<Int>(0)
      let written = FailingFileSystem(files) { _ in
        let call = calls.add(1, ordering: .relaxed).newValue
        if call == number { files.put(bytes[1], at: "/a.doc") }
      }
      let opened = try DocumentStore(files: written, options: options())
        .open("/a.doc", for: .attributes)
      let title = opened.contents.document.metadata.title
      #expect(["old", "new, and longer"].contains(title))
      guard opened.contents.warnings.contains(where: { $0.contains("read again") }) else {
        continue
      }
      told += 1
      #expect(title == "new, and longer" && !isPart(opened))
    }
    #expect(told > 0)
  }

  @Test(arguments: Seeds.some(2))
  func `A damaged document gives the error of the whole reading`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sound = try DocumentArchive.bytes(of: .towns)
    for _ in 0..<60 {
      var bytes = sound
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<99, using: &random)) }
      let store = DocumentStore(
        files: MemoryFileSystem(files: ["/a.doc": bytes]), options: options())
      let whole = Result { try store.open("/a.doc") }.map {
        $0.contents.document.layers.map(\.count)
      }
      let part = Result { try store.open("/a.doc", for: .attributes) }.map {
        $0.contents.document.layers.map(\.count)
      }
      switch (whole, part) {
      case (.success(let one), .success(let other)): #expect(one == other)
      case (.failure(let one), .failure(let other)): #expect("\(one)" == "\(other)")
      default: Issue.record("whole \(whole), part \(part)")
      }
    }
  }

  // MARK: Pictures

  /// A layer of more than half a million vertices, the same with names, and small ones.
  private func largeMap(named: Bool) -> Document {
    var document = Document.towns
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "tracks", style: .standard(forDimension: 1, index: 0))
    for number in 0..<5 {
      let line = (0..<110_000).map {
        Coordinate(x: Double($0) / 1_000 - 60, y: Double($0 % 97) / 10 + Double(number))
      }
      _ = layer.add(geometry: .line(line), attributes: [("name", .string("track \(number)"))])
    }
    layer.style = layer.style.changed { ($0.labelField, $0.sizeField) = (nil, nil) }
    document.layers.append(layer)
    var small = layer.bare()
    _ = small.add(
      geometry: .line((0..<5_000).map { Coordinate(x: Double($0) / 100, y: 3) }), attributes: [])
    document.layers.append(small.renumbered(LayerID(document.makeID()), name: "few", parent: nil))
    if named {
      var copy = layer.renumbered(LayerID(document.makeID()), name: "names", parent: nil)
      copy.style = copy.style.changed { $0.labelField = "name" }
      document.layers.append(copy)
    }
    return document
  }

  @Test(arguments: [false, true])
  func `For a picture the coordinates of large layers without names stay in the file`(
    named: Bool
  ) throws {
    let document = largeMap(named: named)
    let files = MemoryFileSystem(files: ["/a.doc": try DocumentArchive.bytes(of: document)])
    let opened = try DocumentStore(files: files, options: options()).open("/a.doc", for: .picture)
    let shown = opened.contents.document
    #expect(shown.layers.map(\.extent) == document.layers.map(\.extent))
    var outlines = 0
    for (one, other) in zip(shown.layers, document.layers) {
      let (one, other) = (
        try #require(one as? any FeatureHolding), try #require(other as? any FeatureHolding)
      )
      for (part, whole) in zip(one.blocks, other.blocks) {
        outlines += part.geometry.isOutline ? 1 : 0
        #expect(part.geometry.isOutline == (one.name == "tracks" && !named))
        #expect(part.geometry.drawable.coordinates == whole.geometry.coordinates)
        #expect(part.geometry.boxes == whole.geometry.boxes)
      }
    }
    #expect((outlines > 0) == !named)
    try DocumentArchive.checkDrawn(shown)
    files.put([1], at: "/a.doc")
    if named {
      try DocumentArchive.checkDrawn(shown)
    } else {
      #expect(throws: (any Error).self) { try DocumentArchive.checkDrawn(shown) }
    }
  }

  // MARK: All of a large document

  private func readsLarge(_ files: any FileSystem) -> DocumentStore {
    DocumentStore(
      files: files,
      options: options {
        $0.partialReading.wholeCountMin = 1
        $0.guardsDocuments = true
      })
  }

  @Test func `A large document is the same as one whose file is read into memory`() throws {
    let bytes = try DocumentArchive.bytes(of: .towns)
    let store = readsLarge(MemoryFileSystem(files: ["/a.doc": bytes]))
    var done: [Double] = []
    let large = try #require(try store.readLarge("/a.doc") { done.append($0) })
    #expect(large.mark.value == ContentMark(bytes))
    #expect(!done.isEmpty && done == done.sorted() && done.allSatisfy { (0...1).contains($0) })
    let opened = try store.open("/a.doc")
    #expect(try DocumentArchive.bytes(of: opened.contents.document) == bytes)
    #expect(opened.isWritable && opened.isArchive && opened.lock == .ours)
    #expect(try store.open("/a.doc", isReload: true).isUnchanged)
  }

  /// Towns, and layers of lines that share blocks.
  private func lines(_ random: inout SeededGenerator) -> Document {
    var document = Document.towns
    for _ in 0..<4 {
      var layer = FeatureLayer(
        id: LayerID(document.makeID()), name: "lines",
        style: .standard(forDimension: 1, index: 0))
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let places = (0..<Int.random(in: 2...20_000, using: &random)).map { _ in
          Coordinate(
            x: .random(in: -180...180, using: &random), y: .random(in: -90...90, using: &random))
        }
        _ = layer.add(geometry: .line(places), attributes: [("name", .string("a line"))])
      }
      document.layers.append(layer)
      guard Bool.random(using: &random) else { continue }
      document.layers.append(
        FeatureLayer(
          id: LayerID(document.makeID()), name: "copy", style: layer.style, blocks: layer.blocks))
    }
    return document
  }

  @Test(arguments: Seeds.some(8))
  func `A large document keeps every number, and blocks that layers share stay shared`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let document = lines(&random)
    let bytes = try DocumentArchive.bytes(of: document)
    let store = readsLarge(MemoryFileSystem(files: ["/a.doc": bytes]))
    let large = try #require(try store.readLarge("/a.doc") { _ in })
    #expect(try DocumentArchive.bytes(of: large.contents.document) == bytes)
    let layers = large.contents.document.layers.compactMap { $0 as? FeatureLayer }
    let given = document.layers.compactMap { $0 as? FeatureLayer }
    func count(_ layers: [FeatureLayer]) -> Int {
      Set(layers.flatMap { $0.blocks.map(ObjectIdentifier.init) }).count
    }
    #expect(count(layers) == count(given))
  }

  @Test func `The opening of a large document can be cancelled at any moment`() throws {
    struct Cancelled: Error {}
    let files = MemoryFileSystem(files: ["/a.doc": try DocumentArchive.bytes(of: .towns)])
    #expect {
      _ = try readsLarge(files).open("/a.doc") { _ in throw Cancelled() }
    } throws: { error in
      guard case .decoding(let reason)? = (error as? StoreError)?.code else { return false }
      return reason is Cancelled
    }
  }

  @Test func `A large document is opened, or there is an error, whichever call fails`() throws {
    let files = MemoryFileSystem(files: ["/a.doc": try DocumentArchive.bytes(of: .towns)])
    let counting = FailingFileSystem(files)
    _ = try readsLarge(counting).open("/a.doc")
    for call in 1...counting.callCount + 1 {
      for plan in [FailingFileSystem.Plan.once(number: call), .from(number: call)] {
        let failing = FailingFileSystem(files, plan: plan, number: 5)
        guard let opened = try? readsLarge(failing).open("/a.doc") else {
          #expect(failing.failureCount > 0)
          continue
        }
        #expect(opened.contents.document.layers.map(\.count) == [2])
      }
    }
  }

  @Test func `A large document that is written while it is read is one of the versions`() throws {
    let (old, new) = (Document.towns.titled("old"), Document.towns.titled("new, and longer"))
    let bytes = try [old, new].map { try DocumentArchive.bytes(of: $0) }
    let counting = FailingFileSystem(MemoryFileSystem(files: ["/a.doc": bytes[0]]))
    _ = try readsLarge(counting).open("/a.doc")
    for number in 1...counting.callCount {
      let files = MemoryFileSystem(files: ["/a.doc": bytes[0]])
      let calls = Atomic<Int>(0)
      let written = FailingFileSystem(files) { _ in
        let call = calls.add(1, ordering: .relaxed).newValue
        if call == number { files.put(bytes[1], at: "/a.doc") }
      }
      guard let opened = try? readsLarge(written).open("/a.doc") else { continue }
      let document = opened.contents.document
      #expect(try bytes.contains(DocumentArchive.bytes(of: document)))
    }
  }

  // MARK: Coordinates that are read later

  private func readsLater(_ files: any FileSystem) -> DocumentStore {
    DocumentStore(
      files: files,
      options: options {
        ($0.partialReading.wholeCountMin, $0.partialReading.laterCountMin) = (1, 1)
        $0.guardsDocuments = true
      })
  }

  @Test(arguments: Seeds.some(8))
  func `A document whose coordinates are read later is the same, whoever reads them first`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let document = lines(&random)
    let bytes = try DocumentArchive.bytes(of: document)
    let store = readsLater(MemoryFileSystem(files: ["/a.doc": bytes]))
    let opened = try store.open("/a.doc", isLater: true).contents.document
    let blocks = opened.layers.compactMap { $0 as? FeatureLayer }.flatMap(\.blocks)
    #expect(opened.hasUnreadCoordinates == blocks.contains { $0.geometry.vertexCount >= 4_096 })
    #expect(opened.hasSoundCoordinates == !opened.hasUnreadCoordinates)
    #expect(opened.layers.map(\.extent) == document.layers.map(\.extent))
    let whole = document.layers.compactMap { $0 as? FeatureLayer }.flatMap(\.blocks)
    for (block, same) in zip(blocks, whole) where Bool.random(using: &random) {
      let (some, others) = (block.keeping { $0 > 0 }, same.keeping { $0 > 0 })
      #expect(some?.geometry.coordinates == others?.geometry.coordinates)
      #expect(block.geometry.coordinates == same.geometry.coordinates)
    }
    if Bool.random(using: &random) {
      var done: [Double] = []
      #expect(try opened.readCoordinates { done.append($0) })
      #expect(done == done.sorted() && done.allSatisfy { (0...1).contains($0) })
      #expect(opened.hasSoundCoordinates)
    }
    #expect(try DocumentArchive.bytes(of: opened) == bytes)
    #expect(opened.hasSoundCoordinates)
  }

  @Test func `A reload, a source and a document that is not edited are read whole`() throws {
    let bytes = try DocumentArchive.bytes(of: largeMap(named: false))
    let files = MemoryFileSystem(files: ["/a.doc": bytes])
    let store = readsLater(files)
    func isLater(_ opened: StoredDocument) -> Bool { opened.contents.document.hasUnreadCoordinates }
    #expect(try isLater(store.open("/a.doc", isLater: true)))
    #expect(try !isLater(store.open("/a.doc")))
    #expect(try !isLater(store.open("/a.doc", isReload: true, isLater: true)))
    #expect(try !isLater(store.open("/a.doc", isSource: true, isLater: true)))
    #expect(try !isLater(readsLarge(files).open("/a.doc", isLater: true)))
    let headless = DocumentStore(files: files, options: options())
    #expect(try !isLater(headless.open("/a.doc", isLater: true)))
  }

  @Test func `Coordinates of a file that was changed meanwhile are told from others`() throws {
    let files = MemoryFileSystem(
      files: ["/a.doc": try DocumentArchive.bytes(of: largeMap(named: false))])
    let store = readsLater(files)
    let opened = try store.open("/a.doc", isLater: true).contents.document
    files.put(try DocumentArchive.bytes(of: .towns), at: "/a.doc")
    #expect(try !opened.readCoordinates { _ in })
    #expect(!opened.hasSoundCoordinates)
  }

  @Test func `The reading of coordinates can be ended, and goes on later`() throws {
    struct Ended: Error {}
    let bytes = try DocumentArchive.bytes(of: largeMap(named: false))
    let store = readsLater(MemoryFileSystem(files: ["/a.doc": bytes]))
    let opened = try store.open("/a.doc", isLater: true).contents.document
    #expect(throws: Ended.self) { _ = try opened.readCoordinates { _ in throw Ended() } }
    #expect(opened.hasUnreadCoordinates)
    #expect(try opened.readCoordinates { _ in })
    #expect(try DocumentArchive.bytes(of: opened) == bytes)
  }
}
