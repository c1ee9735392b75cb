import PortolanDocuments
import PortolanFiles
import PortolanInterchange

/// Files that are read in place of the document: the first one is shown, the others become layers
/// above it.
struct OpenRequest: Request {
  var paths: [String]
  /// The document's revision when it was asked for: no later edit is replaced.
  var revision: Int
  /// Whether all have to be read; else those that can are shown.
  var needsAll = false

  var isOfPane: Bool { true }

  var name: String {
    let first = InputName.shown(paths.first ?? "")
    return (needsAll ? "reading" : "opening") + " \(first)"
      + (paths.count > 1 ? " and \(paths.count - 1) more" : "")
  }

  /// What was read, and why some of the upper layers were not.
  struct Answer: Sendable {
    var file: OpenedFile
    var data: [ImportedData]
    var failures: [Failure]
  }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Answer {
    var file: OpenedFile?
    var data: [ImportedData] = []
    var failures: [Failure] = []
    for (index, path) in paths.enumerated() {
      let part = progress.part(index, of: paths.count)
      do throws(Failure) {
        if file == nil {
          // What several files hold goes back into none of them.
          file = try world.open(path, part, isSource: paths.count > 1)
        } else {
          data.append(try world.importData(path, layerName: nil, part))
        }
      } catch {
        if needsAll || error.code == .interrupted { throw error }
        failures.append(error)
      }
    }
    guard let file else { throw failures.first ?? Failure(.usage, what: "open what?") }
    return Answer(file: file, data: data, failures: failures)
  }

  func take(_ answer: Answer, in desk: inout Desk) throws {
    try desk.take(answer.file, and: answer.data, unlessEditedSince: revision)
    if let failure = answer.failures.first { desk.fail(failure) }
  }

  func remarks(on answer: Answer, _ desk: Desk) -> [Remark] {
    let name = InputName.shown(answer.file.path)
    return answer.file.notices.map { Remark(text: "\(name): \($0)", isDetail: true) }
      + answer.data.flatMap { data in
        answer.file.document.notices(of: data).map {
          Remark(text: "\(data.path): \($0)", isDetail: true)
        }
      }
  }
}

/// The document's file, read again.
struct ReloadRequest: Request {
  var path: String
  var title: String
  var revision: Int

  var name: String { "reading \(title) again" }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> OpenedFile {
    try world.reload(path, progress)
  }

  func take(_ answer: OpenedFile, in desk: inout Desk) throws {
    try desk.take(answer, unlessEditedSince: revision)
  }

  func fail(_ failure: Failure, in desk: inout Desk) {
    desk.noteUnreadable()
    desk.fail(failure)
  }
}

/// Layers of another file.
struct ImportRequest: Request {
  var path: String
  /// The name of the new layer; `nil` goes by the file.
  var layerName: String?

  var name: String { "importing \(path)" }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> ImportedData {
    try world.importData(path, layerName: layerName, progress)
  }

  func take(_ answer: ImportedData, in desk: inout Desk) throws { try desk.take(answer) }

  func remarks(on answer: ImportedData, _ desk: Desk) -> [Remark] {
    desk.document.notices(of: answer).map {
      Remark(text: "\(answer.path): \($0)", isDetail: true)
    }
  }
}

extension SaveRequest: Request {
  package var name: String { "saving \(path)" }
  package var isWriting: Bool { true }

  package func perform(
    in world: World, _ progress: World.Progress
  ) throws(Failure) -> World.SaveResult {
    try world.save(self)
  }

  package func take(_ answer: World.SaveResult, in desk: inout Desk) throws {
    switch answer {
    case .done(let notice, let isConfirmed):
      desk.noteSaved(path, revision: revision, notice: notice, isConfirmed: isConfirmed)
    case .conflict(let conflict): try desk.take(conflict)
    case .lossy(let loss): try desk.take(loss)
    }
  }

  package func fail(_ failure: Failure, in desk: inout Desk) {
    if desk.isEdited { desk.file.trouble = "not saved" }
    desk.fail(failure)
  }

  package func remarks(on answer: World.SaveResult, _ desk: Desk) -> [Remark] {
    guard case .done(let notice?, _) = answer else { return [] }
    return [Remark(text: "\(path): \(notice)")]
  }
}

extension ExportRequest: Request {
  package var name: String { "exporting \(path)" }
  package var isWriting: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.export(self)
  }

  package func take(_ answer: String, in desk: inout Desk) { desk.say(answer) }
}

extension RenderRequest: Request {
  package var name: String { "rendering \(path)" }
  package var isWriting: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.render(self)
  }

  package func take(_ answer: String, in desk: inout Desk) { desk.say(answer) }
}

/// The lock of a document that is not edited here any more: given back.
struct ReleaseRequest: Request {
  var path: String

  var name: String { "" }

  func perform(in world: World, _ progress: World.Progress) { world.letGo(path) }
  func take(_ answer: Void, in desk: inout Desk) {}
}
