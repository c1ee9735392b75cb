import PortolanDocuments
import Testing

@testable import PortolanInterchange

/// What an import of tables accepts comes back: seeded random tables, `PORTOLAN_LAWS=N` for N.
@Suite struct TableLawTests {
  private static func voyage(_ seed: UInt64) throws -> Voyage {
    var table = RandomTable(seed: seed)
    let bytes = Array(table.text().utf8)
    return try Voyage(bytes, table.isTabbed ? CSVFormat.tab : CSVFormat.comma)
  }

  @Test func `A table that was imported, saved, opened and exported is read as the same`() {
    let broken = Laws.broken("tables saved") { seed in
      let voyage = try Self.voyage(seed)
      let opened = try Voyage.reopened(voyage.document)
      let text = try Voyage.write(opened, voyage.format)
      let former = FeatureValues.all(voyage.layer)
      let again = try Voyage.read(text, voyage.format)
      let told =
        String(decoding: voyage.bytes, as: UTF8.self).debugDescription + " -> "
        + String(decoding: text, as: UTF8.self)
      if let problem = differences(former, FeatureValues.all(again), told) { return problem }
      var document = voyage.document
      document.layers = [again]
      let second = try Voyage.write(document, voyage.format)
      return text == second ? nil : difference(text, second)
    }
    #expect(broken == [])
  }

  @Test func `A regular table comes back byte for byte`() {
    let broken = Laws.broken("regular tables") { seed in
      var table = RandomTable(seed: seed)
      let bytes = Array(table.regularText().utf8)
      let voyage = try Voyage(bytes, table.isTabbed ? CSVFormat.tab : CSVFormat.comma)
      let text = try Voyage.write(try Voyage.reopened(voyage.document), voyage.format)
      return text == bytes ? nil : difference(bytes, text)
    }
    #expect(broken == [])
  }

  @Test func `A table is read as the same from GeoJSON and from lines`() {
    let broken = Laws.broken("tables as GeoJSON") { seed in
      let voyage = try Self.voyage(seed)
      let former = FeatureValues.all(voyage.layer)
      return try differences(former, Voyage.values(voyage.document, through: LinesFormat()))
        ?? differences(former, Voyage.values(voyage.document, through: GeoJSONFormat()))
    }
    #expect(broken == [])
  }

  @Test func `A table that was edited and lost comes back from its journal`() {
    let broken = Laws.broken("tables recovered") { seed in
      let voyage = try Self.voyage(seed)
      var edits = RandomEdit(seed: seed)
      let (edited, recovered) = try voyage.recovered(&edits)
      let saved = try DocumentFile.bytes(of: edited)
      return try DocumentFile.bytes(of: recovered) == saved ? nil : "recovered, it differs"
    }
    #expect(broken == [])
  }
}
