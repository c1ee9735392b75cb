import Archiving
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanKeeping

// Archives of Foundation's values, and a journal.
extension GoodFile {
  /// A dictionary of values of many kinds.
  private static func values() -> Cocoa.Object {
    let values: [Cocoa.Object?] = [
      .null, "text", .mutableString(Cocoa.MutableString("$null")), .data([0, 255]), true, -1, 0.5,
      .number(Cocoa.Number(UInt64.max)), .date(Cocoa.Date(secondsSinceReferenceDate: 1.25)),
      .array(Cocoa.Array(["a", 300, .array([])], isMutable: true)),
      .set(Cocoa.Set(["a", .set(Cocoa.Set([1]))])), .orderedSet(Cocoa.OrderedSet([3, 1])),
      Cocoa.CountedSet([.init("a", count: 2)]).map { .countedSet($0) },
      .dictionary(["k": "v", 2: .dictionary(["x": .null])]),
      .url(Cocoa.URL("https://example.org/a?b=c")),
      Cocoa.UUID("346FF5A7-DFB6-6909-668C-0C63945E8F77").map { .uuid($0) },
      .locale(Cocoa.Locale("de_CH")), .timeZone(Cocoa.TimeZone("GMT", data: [0x54, 0x5A])),
      .error(Cocoa.Error(domain: "D", code: 3, userInfo: ["k": "no"])),
      .notification(Cocoa.Notification("n", object: "o", userInfo: ["k": 1])),
      .sortDescriptor(Cocoa.SortDescriptor(key: "name")),
      Cocoa.Range(location: 65, length: 26).flatMap { Cocoa.CharacterSet(.range($0)) }
        .map { .characterSet($0) },
      .regularExpression(Cocoa.RegularExpression("(a+)+$", options: 1)),
      Cocoa.AttributedString(
        "abc",
        runs: [.init(length: 1, attributes: ["S": 1]), .init(length: 2, attributes: [:])]
      ).map { .attributedString($0) },
      Cocoa.IndexPath([4, 0, 1_000_000]).map { .indexPath($0) },
      .value(.point(Cocoa.Point(x: 1.5, y: -2))),
      .value(.other(type: "[2i]", .array([.integer(1), .integer(2)]))),
      .dateComponents(Cocoa.DateComponents([.year: 2026], isLeapMonth: false)),
      .measurement(Cocoa.Measurement(2, Cocoa.Unit("furlong"))),
      Cocoa.AffineTransform([1, 0, 0, 1, 2.5, -3]).map { .affineTransform($0) },
      Cocoa.DecimalNumber("-12.345").map { .decimalNumber($0) },
    ]
    return .array(Cocoa.Array(values.compactMap { $0 }))
  }

  static func keyedValues() throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeAnyValue(values(), forKey: "root")
    return try archiver.finish()
  }

  static func sequentialValues() throws -> [UInt8] { try Archiver.archive(values()) }

  /// A journal that holds a document with a layer, and three edits of which one is undone.
  static func journal() throws -> [UInt8] {
    let files = MemoryFileSystem()
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns", style: Style(name: "", mark: MarkStyle()))
    _ = layer.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [])
    document.layers = [layer]
    try files.makeDirectories("/home")
    let head = JournalHead(
      path: "/home/a.doc", base: .embedded(nil), title: "opened", begun: 1, process: 7)
    var file = try JournalFile.create(at: "/home/journal", head: head, in: files)
    let bytes = try DocumentFile.bytes(of: document)
    try file.appendBase(bytes[...], offset: 0)
    try file.appendBaseEnd(total: bytes.count, digest: SHA256.digest(of: bytes))
    for step in 1...3 {
      let former = document
      if step == 2 { document.metadata.title = "step" }
      if step == 1 { _ = layer.add(geometry: .point(Coordinate(x: 3, y: 4)), attributes: []) }
      if step == 3 { try layer.setAttribute("name", to: .string("n"), of: [FeatureID(1)]) }
      document.layers = [layer]
      let change = try DocumentChange(from: former, to: document)
      try file.append(.step, JournalStep(title: "\(step)", time: 1, change: change))
    }
    try file.append(.undo, count: 1)
    try file.appendSaving()
    return try files.read("/home/journal", limit: 1 << 20)
  }
}
