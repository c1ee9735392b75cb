import Archiving
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

@Suite("Damaged documents")
struct DamagedDocumentTests {
  private static func sample() throws -> [UInt8] {
    var random = RandomDocuments(seed: 3)
    var document = random.document()
    document.layers = [random.layer(id: LayerID(1), style: .standard(forDimension: 0, index: 0))]
    return try DocumentArchive.bytes(of: document)
  }

  @Test(
    "Any change of any bytes opens or throws, and what opens can be saved", arguments: Seeds.some(8)
  )
  func mutations(seed: UInt64) throws {
    let sound = try Self.sample()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<250 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        default: bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      guard let opened = try? DocumentArchive.open(bytes) else { continue }
      if opened.document.newerVersion != nil {
        #expect(throws: DocumentError.self) { try DocumentArchive.bytes(of: opened.document) }
        continue
      }
      if opened.damage != nil {
        #expect(throws: (any Error).self) { try DocumentArchive.bytes(of: opened.document) }
        continue
      }
      let again = try DocumentArchive.bytes(of: opened.document)
      let reopened = try DocumentArchive.open(again).document
      // What has another class name now is kept as it is, and may get another number.
      let (layers, views) = (opened.document.layers, opened.document.views)
      guard layers.allSatisfy({ $0 is FeatureLayer }), !views.contains(where: { $0 is UnknownView })
      else { continue }
      #expect(differences(opened.document, reopened) == [], "seed \(seed)")
    }
  }

  @Test("A damaged part that nobody knows is told when the document is opened")
  func unknownParts() throws {
    let sound = try KeyedArchiver.archive(FutureDocument())
    #expect(try DocumentArchive.open(sound).damage == nil)
    var toldCount = 0
    for place in sound.indices {
      for change: UInt8 in [1, 0x10, 0x80] {
        var bytes = sound
        bytes[place] ^= change
        guard let opened = try? DocumentArchive.open(bytes), opened.document.newerVersion == nil
        else { continue }
        if opened.damage != nil {
          toldCount += 1
        } else {
          #expect(throws: Never.self, "byte \(place)") {
            try DocumentArchive.bytes(of: opened.document)
          }
        }
      }
    }
    #expect(toldCount > 0)
  }

  @Test("Any cut throws")
  func cuts() throws {
    let sound = try Self.sample()
    for count in stride(from: 0, to: sound.count, by: 97) {
      #expect(throws: (any Error).self) { try DocumentArchive.open(Array(sound.prefix(count))) }
    }
  }

  /// A block as bytes on disk, to be broken field by field.
  fileprivate struct RawBlock: Coding {
    static var archivedClass: ArchivedClass { "PortolanFeatureBlock" }
    var layout = 1
    var coordinates = [1.0, 2, 3, 4]
    var elevations: [Double] = []
    var pathEnds: [UInt32] = [1, 2]
    var pathRoles: [UInt8] = [9, 9]
    var featureEnds: [UInt32] = [1, 2]
    var kinds: [UInt8] = [1, 1]
    var featureIDs: [UInt64] = [1, 2]
    var name = RawColumn()
    var shapeIndices: [UInt16] = []
    var orderEnds: [UInt32] = []
    var orders: [UInt16] = []
    var orderIndices: [UInt16] = []
    var shapes = [FeatureShape.plain]

    init() {}
    init(coder: any DecodingCoder) throws { self.init() }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(layout, forKey: "layout")
      try coder.encodePacked(coordinates, forKey: "coordinates")
      try coder.encodePacked(elevations, forKey: "elevations")
      try coder.encodePacked(pathEnds, forKey: "pathEnds")
      try coder.encodePacked(pathRoles, forKey: "pathRoles")
      try coder.encodePacked(featureEnds, forKey: "featureEnds")
      try coder.encodePacked(kinds, forKey: "kinds")
      try coder.encodePacked(featureIDs, forKey: "featureIDs")
      try coder.encodeObjects([name], forKey: "attributes")
      try coder.encodeObjects(shapes, forKey: "shapes")
      try coder.encodePacked(shapeIndices, forKey: "shapeIndices")
      try coder.encodePacked(orderEnds, forKey: "orderEnds")
      try coder.encodePacked(orders, forKey: "orders")
      try coder.encodePacked(orderIndices, forKey: "orderIndices")
    }
  }

  fileprivate struct RawColumn: Coding {
    static var archivedClass: ArchivedClass { "PortolanColumn" }
    var kinds: [UInt8] = [5, 4]
    var ends: [UInt32] = [2, 3]
    var bytes: [UInt8] = [0xC3, 0xA9, 0x31]

    init() {}
    init(coder: any DecodingCoder) throws { self.init() }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString("name", forKey: "name")
      try coder.encodePacked(kinds, forKey: "kinds")
      try coder.encodePacked(ends, forKey: "ends")
      try coder.encodePacked(bytes, forKey: "bytes")
    }
  }

  private static let breaks: [(String, @Sendable (inout RawBlock) -> Void)] = [
    ("coordinates", { $0.coordinates.append(1) }), ("pathEnds", { $0.coordinates = [1, 2] }),
    ("elevations", { $0.elevations = [1] }), ("pathEnds", { $0.pathEnds = [2, 1] }),
    ("pathEnds", { $0.pathEnds = [1, .max] }), ("pathRoles", { $0.pathRoles = [9] }),
    ("pathRoles", { $0.pathRoles = [9, 10] }), ("pathRoles", { $0.pathRoles = [9, 41] }),
    ("featureEnds", { $0.featureEnds = [1, 3] }), ("kinds", { $0.kinds = [1, 8] }),
    ("kinds", { $0.kinds = [1] }), ("featureIDs", { $0.featureIDs = [1] }),
    ("featureIDs", { $0.featureIDs = [0, 1] }), ("featureIDs", { $0.featureIDs = [1, .max] }),
    ("blocks", { $0.featureIDs = [2, 2] }), ("nextFeatureID", { $0.featureIDs = [1, 50] }),
    ("ends", { $0.name.ends = [1, 3] }), ("ends", { $0.name.ends = [3, 2] }),
    ("ends", { $0.name.kinds = [5, 7] }), ("ends", { $0.name.kinds = [4, 4] }),
    ("ends", { $0.name.kinds = [5, 0] }), ("ends", { $0.name.bytes = [0xC3, 0x28, 0x31] }),
    ("attributes", { $0.name = RawColumn(rows: 1) }),
    ("shapeIndices", { $0.shapeIndices = [0, 1] }),
    ("shapeIndices", { $0.shapes = [] }), ("orderEnds", { $0.orderEnds = [1] }),
    ("orders", { ($0.orderEnds, $0.orders) = ([1], [1]) }),
    ("orderIndices", { $0.orderIndices = [0, 1] }), ("layout", { $0.layout = 0 }),
  ]

  @Test("Each broken rule of a block is refused with its key", arguments: breaks.indices)
  func brokenBlocks(index: Int) throws {
    let (key, change) = Self.breaks[index]
    #expect(try Self.open(RawBlock()).layers[0].count == 2)
    var block = RawBlock()
    change(&block)
    let error = #expect(throws: ArchiveError.self) { try Self.open(block) }
    #expect(error?.code == .invalidValue)
    #expect(error?.path.hasSuffix("." + key) == true, "\(error?.description ?? "")")
  }

  @Test("A block of a newer layout needs a newer program")
  func newerLayout() {
    var block = RawBlock()
    block.layout = 2
    let error = #expect(throws: DocumentError.self) { try Self.open(block) }
    #expect(error?.code == .newerVersion)
  }

  private static func open(_ block: RawBlock) throws -> Document {
    try DocumentArchive.open(KeyedArchiver.archive(RawDocument(block: block))).document
  }

  private struct RawDocument: Coding {
    static var archivedClass: ArchivedClass { "PortolanDocument" }
    var block: RawBlock
    init(block: RawBlock) { self.block = block }
    init(coder: any DecodingCoder) throws { self.init(block: RawBlock()) }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(1, forKey: "formatVersion")
      try coder.encodeInt(9, forKey: "nextID")
      try coder.encodeObjects([RawLayer(block: block)], forKey: "layers")
    }
  }

  private struct RawLayer: Coding {
    static var archivedClass: ArchivedClass { "PortolanFeatureLayer" }
    var block: RawBlock
    init(block: RawBlock) { self.block = block }
    init(coder: any DecodingCoder) throws { self.init(block: RawBlock()) }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(1, forKey: "id")
      try coder.encodeObject(Style.standard(forDimension: 0, index: 0), forKey: "style")
      try coder.encodeInt(3, forKey: "nextFeatureID")
      try coder.encodeObjects([block], forKey: "blocks")
    }
  }
}

extension DamagedDocumentTests.RawColumn {
  fileprivate init(rows: Int) {
    self.init()
    kinds = Array(repeating: 1, count: rows)
    ends = Array(repeating: 0, count: rows)
    bytes = []
  }
}
