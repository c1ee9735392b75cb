import PortolanDocuments
import Testing

@testable import PortolanInterchange

/// What an import of GeoJSON accepts comes back: seeded random maps, N of them for
/// `PORTOLAN_LAWS=N`.
@Suite struct GeoJSONLawTests {
  private static func voyage(_ seed: UInt64) throws -> Voyage {
    var map = RandomMap(seed: seed)
    return try Voyage(Array(map.text().utf8), GeoJSONFormat())
  }

  @Test func `A map that was imported, saved and opened again is exported byte for byte`() {
    let broken = Laws.broken("maps saved") { seed in
      let voyage = try Self.voyage(seed)
      let form = voyage.form
      // Features that are on several lines, or several on one, are put on lines.
      if FileJudge.fault(in: voyage.bytes, of: form) != nil { throw Laws.Refused() }
      let exported = try Voyage.write(try Voyage.reopened(voyage.document), form)
      return exported == voyage.bytes ? nil : difference(voyage.bytes, exported)
    }
    #expect(broken == [])
  }

  @Test func `A map that was edited and lost comes back from its journal`() {
    let broken = Laws.broken("maps recovered") { seed in
      let voyage = try Self.voyage(seed)
      var edits = RandomEdit(seed: seed)
      let (edited, recovered) = try voyage.recovered(&edits)
      let saved = try DocumentFile.bytes(of: edited)
      guard try DocumentFile.bytes(of: recovered) == saved else { return "recovered, it differs" }
      let text = try Voyage.write(edited, voyage.format)
      let again = try Voyage.write(try Voyage.reopened(recovered), voyage.format)
      if text != again { return difference(text, again) }
      if edits.touchedGeometry { return nil }
      return differences(
        Voyage.values(edited), try Voyage.values(edited, through: voyage.format),
        String(decoding: text, as: UTF8.self))
    }
    #expect(broken == [])
  }

  @Test func `What an export writes by the rules is read as the same, and is so for good`() {
    let broken = Laws.broken("maps by the rules") { seed in
      let voyage = try Self.voyage(seed)
      var options = ExportOptions(conformance: .rfc7946)
      if seed % 5 == 0 { options.precision = Int(seed % 7) }
      let text = try Voyage.write(voyage.document, voyage.format, options)
      let again = try Voyage(text, voyage.format)
      let former = FeatureValues.all(voyage.layer).map(\.withoutGeometry)
      let ruled = FeatureValues.all(again.layer)
      return try differences(former, ruled.map(\.withoutGeometry))
        ?? differences(
          ruled, Voyage.values(again.document, through: voyage.format, options),
          String(decoding: voyage.bytes, as: UTF8.self))
    }
    #expect(broken == [])
  }
}

/// Where two texts part.
func difference(_ wanted: [UInt8], _ found: [UInt8]) -> String {
  let place =
    zip(wanted, found).enumerated().first { $1.0 != $1.1 }?.offset
    ?? min(wanted.count, found.count)
  func around(_ bytes: [UInt8]) -> String {
    String(decoding: bytes[max(0, place - 60)..<min(bytes.count, place + 60)], as: UTF8.self)
      .debugDescription
  }
  return "at byte \(place): \(around(wanted)) became \(around(found))"
}

/// Where two lists of features part.
func differences(
  _ wanted: [FeatureValues], _ found: [FeatureValues], _ text: String = ""
) -> String? {
  if wanted.count != found.count {
    return "\(wanted.count) features became \(found.count) \(text.debugDescription)"
  }
  guard let place = wanted.indices.first(where: { wanted[$0] != found[$0] }) else { return nil }
  func names(_ values: [[UInt8]: AttributeValue]) -> String {
    values.map { "\(String(decoding: $0.key, as: UTF8.self).debugDescription): \($0.value)" }
      .sorted().joined(separator: ", ")
  }
  func told(_ values: FeatureValues) -> String {
    "\(values.kind) \(values.paths.map { $0.ordinates.map { Double(bitPattern: $0) } })"
      + " \(values.identifier) [\(names(values.attributes))] [\(names(values.members))]"
      + " [\(names(values.geometryMembers))]"
  }
  return "feature \(place): \(told(wanted[place])) became \(told(found[place])) "
    + text.debugDescription
}
