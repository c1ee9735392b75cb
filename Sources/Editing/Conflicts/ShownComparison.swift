import PortolanComparing
import PortolanDocuments

/// The difference between a file and the document, drawn above the map.
final class ShownComparison: Sendable {
  /// The name of the file.
  let name: String
  /// The differences, as layers.
  let layers: [any Layer]
  /// The difference in words.
  let lines: [String]
  let summary: String
  /// The revision of the document that was compared.
  let revision: Int

  init(
    _ difference: MapDifference, name: String, title: String, document: Document, revision: Int
  ) {
    var text = DifferenceText(difference)
    (self.name, self.revision) = (name, revision)
    lines = text.all((name, title)).map(\.text)
    summary = DifferenceText.summary(difference)
    layers = ComparisonMap.document(of: difference, like: document, hasSame: false).layers
  }
}

extension Desk {
  /// The comparison that is drawn: none after an edit, which it does not know.
  var comparison: ShownComparison? {
    work.comparison.flatMap { $0.revision == history.present.revision ? $0 : nil }
  }
}

/// A file to be compared with the document.
struct CompareRequest: Request {
  var path: String
  var key: String?
  var document: Document
  var revision: Int
  var title: String
  /// Whether the document is saved as an archive.
  var isDocument: Bool
  /// Whether the difference is shown as a page, too.
  var isListed: Bool

  var name: String { "comparing with \(path)" }

  func perform(
    in world: World, _ progress: World.Progress
  ) throws(Failure) -> ShownComparison {
    let file = try world.readCompared(path)
    if file.isArchive {
      throw Failure(.usage, subject: file.name, what: "is no map: portolan diff compares archives")
    }
    let old = try world.document(of: file, progress.part(0, of: 2))
    let difference = try world.difference(
      from: old, to: document, key: key, areDocuments: isDocument && file.isDocument,
      progress.part(1, of: 2))
    return ShownComparison(
      difference, name: file.name, title: title, document: document, revision: revision)
  }

  func take(_ answer: ShownComparison, in desk: inout Desk) {
    desk.work.comparison = answer
    desk.work.comparedFile = path
    if isListed || desk.isHeadless { desk.showPage(answer.lines, title: "Since \(answer.name)") }
    if desk.isHeadless { return }
    let ways = answer.layers.isEmpty ? "" : "; :compare --list tells each, :compare --off ends it"
    desk.say("since \(answer.name): \(answer.summary)\(ways)")
  }
}
