import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// A table tells which values a reader gets as another type: seeded random layers,
/// `PORTOLAN_LAWS=N` for N.
@Suite struct TableTypeLawTests {
  private struct Choices: Choosing {
    var random: SeededGenerator

    mutating func layer() -> FeatureLayer {
      var layer = FeatureLayer(
        id: LayerID(1), name: "l", style: .standard(forDimension: 0, index: 0))
      let names = ["a", "b", "É", "d"]
      // Columns of few types and of many.
      let kinds = names.map { _ in (0..<number(1...3)).map { _ in number(0...6) } }
      for row in 0..<number(1...8) {
        let attributes = zip(names, kinds).map { name, kinds in
          (name: name, value: value(pick(kinds)))
        }
        let place = Coordinate(x: Double(row), y: 2)
        _ = layer.add(
          geometry: chance(3) ? .line([place, Coordinate(x: 5, y: 5)]) : .point(place),
          attributes: attributes)
      }
      return layer
    }

    private mutating func value(_ kind: Int) -> AttributeValue {
      switch kind {
      case 0: .missing
      case 1: .null
      case 2: .bool(chance(2))
      case 3: .number(pick(["1", "2.50", "-3e5"]))
      case 4: .string(pick(["x", "true", "y z"]))
      case 5: .string(pick(["", "", "12"]))
      default: .json(pick(["[1,2]", "{\"a\":null}", "[]"]))
      }
    }
  }

  private static func write(
    _ layer: FeatureLayer, _ format: CSVFormat = .comma
  ) throws -> (text: [UInt8], notes: [String]) {
    var text: [UInt8] = []
    let report = try format.write([layer], options: ExportOptions()) { text += $0 }
    return (text, report.notes)
  }

  @Test(arguments: ["csv", "tsv"])
  func `Every value that comes back as another type is told, and nothing else`(
    name: String
  ) throws {
    let format = name == "csv" ? CSVFormat.comma : .tab
    let broken = Laws.broken("types in tables, \(name)") { seed in
      var choices = Choices(random: SeededGenerator(seed: seed))
      let layer = choices.layer()
      let (text, notes) = try Self.write(layer, format)
      let pairs = zip(FeatureValues.all(layer), FeatureValues.all(try Voyage.read(text, format)))
      var changed: Set<String> = []
      var counts: [String: Int] = [:]
      for (old, new) in pairs {
        for (name, value) in old.attributes where new.attributes[name] != value {
          changed.insert(String(decoding: name, as: UTF8.self))
          let word =
            switch value {
            case .null: "null"
            case .bool: "true or false"
            case .json: "list"
            case .number: "number"
            default: "?"
            }
          counts[word, default: 0] += 1
        }
      }
      let note = notes.joined(separator: " / ")
      let told = String(decoding: text, as: UTF8.self).debugDescription + ": " + note
      if changed.isEmpty { return notes.isEmpty ? nil : "nothing changed in \(told)" }
      for name in ["a", "b", "É", "d"] where note.contains("“\(name)”") != changed.contains(name) {
        return "“\(name)” in \(told)"
      }
      for (word, count) in counts where !note.contains("\(count) \(word)") {
        return "\(count) \(word) in \(told)"
      }
      return nil
    }
    #expect(broken == [])
  }

  @Test func `The note counts, and names no more than six columns`() throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "l", style: .standard(forDimension: 0, index: 0))
    let names = (1...9).map { "n\($0)" }
    _ = layer.add(
      geometry: .point(Coordinate(x: 1, y: 2)),
      attributes: names.map { ($0, .null) } + [("t", .bool(true))])
    _ = layer.add(
      geometry: .point(Coordinate(x: 1, y: 2)),
      attributes: [("t", .number("7")), ("n1", .string(""))])
    #expect(
      try Self.write(layer).notes == [
        "a table holds only numbers and text: 9 nulls in “n1”, “n2”, “n3”, “n4”, “n5”, “n6” and 3 "
          + "more become no value (empty text is \"\"); 1 true or false in “t” becomes text; "
          + "1 number among texts in “t” becomes text; GeoJSON keeps them (--format geojson)"
      ])
  }
}
