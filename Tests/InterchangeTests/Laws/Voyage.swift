import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanKeeping
import PortolanTestSupport

@testable import PortolanInterchange

/// What the laws share: how many inputs, and what is done with each.
enum Laws {
  private static let environment = ProcessInfo.processInfo.environment
  /// How many inputs of each kind: `PORTOLAN_LAWS`.
  static let count = environment["PORTOLAN_LAWS"].flatMap { Int($0) } ?? 150
  /// The first seed: `PORTOLAN_LAWS_SEED`.
  static let seed = environment["PORTOLAN_LAWS_SEED"].flatMap { UInt64($0) } ?? 1

  /// Runs a law over all seeds.
  ///
  /// - Parameter law: gives what is wrong with an input, nothing if all is well, and throws
  ///   `Refused` for an input that the import did not take.
  /// - Returns: the first broken inputs in words.
  static func broken(_ name: String, _ law: (UInt64) throws -> String?) -> [String] {
    var (accepted, broken) = (0, [String]())
    for seed in seed..<seed + UInt64(count) {
      do {
        if let problem = try law(seed) { broken.append("seed \(seed): \(problem)") }
        accepted += 1
      } catch is Refused {
        continue
      } catch {
        accepted += 1
        broken.append("seed \(seed): \(error)")
      }
    }
    print("\(name): \(count) inputs, \(accepted) accepted, \(broken.count) did not come back")
    return Array(broken.prefix(20))
  }

  struct Refused: Error {}
}

/// A file that was imported, and the ways that its document goes.
struct Voyage {
  let format: any Importer & Exporter
  let bytes: [UInt8]
  let layer: FeatureLayer
  private(set) var document = Document()

  /// Reads a file; throws `Laws.Refused` if the import does not take it.
  init(_ bytes: [UInt8], _ format: any Importer & Exporter) throws {
    self.format = format
    self.bytes = bytes
    guard let layer = try? Self.read(bytes, format) else { throw Laws.Refused() }
    self.layer = layer
    document.nextID = layer.id.rawValue + 10
    document.layers = [layer]
  }

  /// The format that keeps the form of the file.
  var form: any Importer & Exporter {
    switch layer.source.root {
    case .lines: LinesFormat()
    case .sequence: SequenceFormat()
    default: format
    }
  }

  static func read(_ bytes: [UInt8], _ format: any Importer & Exporter) throws -> FeatureLayer {
    let result = try format.read(
      bytes, options: ImportOptions(name: "law", firstLayerID: 7)
    ) { _ in }
    return result.featureLayers[0]
  }

  static func write(
    _ document: Document, _ format: any Importer & Exporter,
    _ options: ExportOptions = ExportOptions()
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let layers = document.layers.compactMap { $0 as? FeatureLayer }
    var report = try format.write(layers, options: options) { bytes += $0 }
    // What rounding leaves out, and jumps, are no faults; formulas stay what they are.
    (report.lost, report.jumps) = (LostParts(), 0)
    if let note = report.notes.first(where: { !$0.contains("spreadsheet") }) {
      throw Problem("an export told: \(note)")
    }
    return bytes
  }

  struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// Saved and opened again.
  static func reopened(_ document: Document) throws -> Document {
    let saved = try DocumentFile.bytes(of: document)
    let opened = try DocumentFile.open(saved).document
    if try DocumentFile.bytes(of: opened) != saved { throw Problem("saved twice, it differs") }
    return opened
  }

  /// What an export in a format and its import give; all layers that are there as one.
  static func values(
    _ document: Document, through format: any Importer & Exporter,
    _ options: ExportOptions = ExportOptions()
  ) throws -> [FeatureValues] {
    FeatureValues.all(try read(try write(document, format, options), format))
  }

  /// The values of a document's layer.
  static func values(_ document: Document) -> [FeatureValues] {
    document.layers.compactMap { $0 as? FeatureLayer }.flatMap { FeatureValues.all($0) }
  }

  /// Edits the document at random while a journal is kept, loses the editor, and recovers.
  ///
  /// - Returns: the document that was lost, and the one that the journal gives.
  func recovered(_ edits: inout RandomEdit) throws -> (edited: Document, recovered: Document) {
    let files = MemoryFileSystem()
    let folder = JournalFolder(StateFolder(path: "/state/portolan"), in: files)
    var file = try folder.create(
      JournalHead(path: "/a.doc", base: .embedded(nil), title: "opened", begun: 1, process: 7))
    let base = try DocumentFile.bytes(of: document)
    try file.appendBase(base[...], offset: 0)
    try file.appendBaseEnd(total: base.count, digest: SHA256.digest(of: base))
    var edited = document
    for _ in 0..<edits.number(1...4) {
      let former = edited
      guard var layer = edited.layers.first as? FeatureLayer else { break }
      try edits.edit(&layer)
      edited.layers = [layer]
      let change = try DocumentChange(from: former, to: edited)
      try file.append(.step, JournalStep(title: "edit", time: 1, change: change))
    }
    try file.synchronize()
    file.leave()
    guard let journal = folder.takeOver(document: "/a.doc").first?.journal, let found = journal.base
    else { throw Problem("there is no journal") }
    let replay = JournalReplay(journal, base: try DocumentFile.open(found).document)
    if let problem = replay.problem { throw Problem("recovery: \(problem)") }
    return (edited, replay.history.value)
  }
}

/// Edits made of a seed.
struct RandomEdit: Choosing {
  var random: SeededGenerator
  /// Whether the last edits touched geometry, which exports then write by the rules.
  private(set) var touchedGeometry = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func edit(_ layer: inout FeatureLayer) throws {
    let ids = layer.blocks.flatMap(\.featureIDs)
    guard let id = ids.randomElement(using: &random) else {
      add(&layer)
      return
    }
    let names = layer.fieldNames
    switch number(0...9) {
    case 0: layer.remove([id])
    case 1: add(&layer)
    case 2, 3:
      touchedGeometry = true
      let geometry = layer.feature(id)?.geometry ?? .none
      try layer.setGeometry(chance(4) ? .none : moved(geometry), of: id)
    case 4:
      try layer.setIdentifier(pick([.missing, .string("new"), .number("7")]), of: id)
    case 5 where !names.isEmpty:
      try? layer.renameAttribute(pick(names), to: "other", of: Set(ids))
    case 6:
      try layer.setAttribute(pick(names + ["new"]), to: .missing, of: Set(ids))
    default:
      try layer.setAttribute(
        pick(names + ["new", "é"]),
        to: pick([.string("text"), .number("1.50"), .null, .bool(true)]),
        of: chance(3) ? Set(ids) : [id])
    }
  }

  private mutating func add(_ layer: inout FeatureLayer) {
    touchedGeometry = true
    let point = Coordinate(x: Double(number(-9...9)), y: Double(number(-9...9)))
    _ = layer.add(geometry: .point(point), attributes: [("name", .string("added"))])
  }

  private func moved(_ geometry: Geometry) -> Geometry {
    var geometry = geometry
    for path in geometry.paths.indices {
      for vertex in geometry.paths[path].vertices.indices {
        geometry.paths[path].vertices[vertex].x += 0.5
      }
    }
    return geometry
  }
}
