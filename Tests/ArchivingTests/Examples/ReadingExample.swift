// snippet: import
import Archiving
// end
import Foundation
import Testing

/// Reads an archive whose writer is not at hand, in the three ways that the tutorial shows.
@Suite struct ReadingExample {
  /// The archive beside the tutorial.
  private func archive() throws -> [UInt8] {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: package.appendingPathComponent("Docs/examples/line.plist")))
  }

  // snippet: read-graph
  /// The names of all stations, without a class and without decoding anything else.
  func stationNames(in bytes: [UInt8]) throws -> [String] {
    let graph = try ObjectGraph(bytes)
    var names: [String] = []
    for number in 1..<graph.nodeCount {
      let node = try graph.node(NodeID(rawValue: UInt32(number)))
      guard case .object = node.kind, node.classChain.first == "Station" else { continue }
      for field in node.fields where field.key == "name" {
        guard case .reference(let id) = try graph.content(of: field.value),
          case .bare(let text) = try graph.node(id).kind,
          case .string(let name) = try graph.content(of: text)
        else { continue }
        names.append(name)
      }
    }
    return names
  }
  // end

  // snippet: read-classes
  /// The classes that are needed to read the archive: only what the program wants to know of them.
  final class Station: Coding {
    let name: String
    let platforms: Int

    static var archivedClass: ArchivedClass { "Station" }

    init(coder: any DecodingCoder) throws {
      name = try coder.decodeString(forKey: "name")
      platforms = try coder.decodeIntIfPresent(forKey: "platforms") ?? 1
    }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
      try coder.encodeInt(platforms, forKey: "platforms")
    }
  }

  final class Line: Coding {
    let title: String
    let opened: Double
    let stations: [Station]

    static var archivedClass: ArchivedClass { "Line" }

    init(coder: any DecodingCoder) throws {
      title = try coder.decodeString(forKey: "title")
      opened = try coder.decodeDate(forKey: "opened")
      stations = try coder.decodeObjects(Station.self, forKey: "stations")
    }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(title, forKey: "title")
      try coder.encodeDate(opened, forKey: "opened")
      try coder.encodeObjects(stations, forKey: "stations")
    }
  }

  func line(in bytes: [UInt8]) throws -> Line {
    try KeyedUnarchiver.unarchive(Line.self, from: bytes)
  }
  // end

  // snippet: read-any
  /// A text in a dictionary of settings, whatever else is in there.
  func theme(in bytes: [UInt8]) throws -> String? {
    let settings = try KeyedUnarchiver(bytes).decodeAnyValue(forKey: "root")
    guard case .dictionary(let entries) = settings else { return nil }
    return entries["theme"]?.text
  }
  // end

  // snippet: read-part
  /// One station out of an archive of any size: what it does not refer to stays in the file.
  func station(_ key: String, ofArchiveAt path: String) throws -> Station {
    let unarchiver = try KeyedUnarchiver(path: path)
    let station = try unarchiver.decodeObject(Station.self, forKey: key)
    // Another program may have written the file meanwhile.
    try unarchiver.checkSource()
    return station
  }
  // end

  @Test func `one object is read out of a file`() throws {
    let archiver = KeyedArchiver()
    let line = try line(in: archive())
    for (number, station) in line.stations.enumerated() {
      try archiver.encodeObject(station, forKey: "station \(number)")
    }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-\(UUID().uuidString)")
    try Data(archiver.finish()).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try station("station 1", ofArchiveAt: file.path).name == "Lighthouse")
    let found = try KeyedUnarchiver.unarchive(
      Station.self, at: file.path, forKey: "station 0")
    #expect(found.platforms == 4)
  }

  @Test func `an archive is searched without its classes`() throws {
    #expect(try stationNames(in: archive()) == ["Old Customs House", "Lighthouse"])
  }

  @Test func `an archive is read with classes of our own`() throws {
    let line = try line(in: archive())
    #expect(line.title == "Harbour line")
    #expect(line.opened == 694_310_400)
    #expect(line.stations.map(\.name) == ["Old Customs House", "Lighthouse"])
    #expect(line.stations.map(\.platforms) == [4, 2])
  }

  @Test func `values of Foundation are read without saying which`() throws {
    let settings: Cocoa.Object = .dictionary(["theme": "dark", "zoom": 4])
    #expect(try theme(in: KeyedArchiver.archive(settings)) == "dark")
    #expect(try theme(in: KeyedArchiver.archive(Cocoa.Object.string("no dictionary"))) == nil)
  }
}
