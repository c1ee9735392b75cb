package import PortolanDocuments
import PortolanFiles
import PortolanKeeping

/// Lists a document's earlier versions.
struct ListVersionsRequest: Request {
  var path: String
  var isJSON: Bool

  var name: String { "reading earlier versions of \(path)" }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> [SavedVersion] {
    try world.versions(of: path)
  }

  func take(_ versions: [SavedVersion], in desk: inout Desk) {
    if isJSON { return desk.send(.printData(VersionWords.json(versions))) }
    desk.showPage(
      VersionWords.lines(versions, of: path), title: "Versions of \(FilePath.name(of: path))")
  }
}

extension VersionRequest: Request {
  package enum Answer: Sendable {
    case restored(Document)
    case differences([String], title: String)
    case written(notice: String)
  }

  package var name: String { "reading earlier versions of \(path)" }
  package var isWriting: Bool { true }
  package var isEdit: Bool { if case .restore = use { true } else { false } }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Answer {
    try world.use(self)
  }

  package func take(_ answer: Answer, in desk: inout Desk) throws {
    switch answer {
    case .restored(let document): try desk.take(version: number, document)
    case .differences(let lines, let title): desk.showPage(lines, title: title)
    case .written(let notice): desk.say(notice)
    }
  }

  package func remarks(on answer: Answer, _ desk: Desk) -> [Remark] {
    guard case .written(let notice) = answer, !notice.isEmpty else { return [] }
    return [Remark(text: notice)]
  }
}
