import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanKeeping

/// Opens files in place of the document: the first one is shown, the others become layers above it.
struct OpenRequest: Request {
  var paths: [String]
  /// How to read tables among them.
  var reading: (any FormatOptions)?
  /// The state whose unsaved work may be lost; no later work may be.
  var givesUp: GivenUp?
  /// Whether one unreadable file fails the request; else the readable ones are shown.
  var needsAll = false
  /// The parts of a single document that are needed.
  var needs = DocumentNeeds.all
  /// What of a single database will be taken.
  var wishes = SourceWishes()

  /// Whether the pane was made for it, and is closed again when nothing could be read.
  var isBeside = false

  var isOfPane: Bool { true }

  var name: String {
    let first = InputName.shown(paths.first ?? "")
    return (needsAll ? "reading" : "opening") + " \(first)"
      + (paths.count > 1 ? " and \(paths.count - 1) more" : "")
  }

  /// The files that were read, and the errors of the others.
  struct Answer: Sendable {
    var file: OpenedFile
    var data: [ImportedData]
    var failures: [Failure]
  }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Answer {
    var file: OpenedFile?
    var data: [ImportedData] = []
    var failures: [Failure] = []
    let isSingle = paths.count == 1
    // An editor shows a large document before all of it is read.
    let needs = isSingle && !needsAll && needs == .all ? DocumentNeeds.allLater : needs
    for (index, path) in paths.enumerated() {
      let part = progress.part(index, of: paths.count)
      do throws(Failure) {
        if file == nil {
          // A document made of several files is saved to none of them.
          file = try world.open(
            path, part, isSource: !isSingle, reading: reading, needs: isSingle ? needs : .all,
            wishes: isSingle ? wishes : wishes.ofSeveral)
        } else {
          var read = try world.importData(path, layerName: nil, part, reading: reading)
          if let target = file?.document.target(of: read) { try read.convert(into: target, part) }
          data.append(read)
        }
      } catch {
        if needsAll || error.code == .interrupted {
          for request in file?.givenBack ?? [] {
            _ = request.reply(in: world)
          }
          throw error
        }
        failures.append(error)
      }
    }
    guard let file else { throw failures.first ?? Failure(.usage, what: "open what?") }
    return Answer(file: file, data: data, failures: failures)
  }

  func take(_ answer: Answer, in desk: inout Desk) throws {
    try desk.take(answer.file, and: answer.data, givingUp: givesUp)
    guard var failure = answer.failures.first else { return }
    let more = answer.failures.count - 1
    if more > 0 { failure.what += " (and \(more) more cannot be read)" }
    desk.fail(failure)
  }

  func fail(_ failure: Failure, in desk: inout Desk) {
    if isBeside { try? desk.closePane(force: false) }
    desk.fail(failure)
  }

  func abandoned(_ answer: Answer) -> [any Request] {
    answer.file.givenBack
  }

  func remarks(on answer: Answer, _ desk: Desk) -> [Remark] {
    let name = InputName.shown(answer.file.path)
    return Remark.notices(answer.file.notices, of: name, warnings: answer.file.warnings)
      + answer.data.flatMap { answer.file.document.remarks(on: $0) }
  }
}

extension Document {
  /// The remarks on data that is added.
  fileprivate func remarks(on data: ImportedData) -> [Remark] {
    Remark.notices(notices(of: data), of: data.path, warnings: data.warnings)
  }
}

extension Remark {
  /// Remarks on a file; only warnings are printed without being asked.
  static func notices(
    _ notices: [String], of name: String, warnings: [String]
  ) -> [Remark] {
    notices.map { Remark(text: "\(name): \($0)", isDetail: !warnings.contains($0)) }
  }
}

/// A state of a document whose unsaved work may be lost.
struct GivenUp: Hashable, Sendable {
  var document: OpenDocument.ID
  /// The serial of the present version in its history.
  var serial: Int

  init(_ desk: Desk) {
    document = desk.file.id
    serial = desk.history.present.serial
  }
}

/// Accepts the version read by a reload as the base version of the file.
struct AcceptRequest: Request {
  var path: String
  var version: FileVersion

  var name: String { "" }
  var isImmediate: Bool { true }

  func perform(in world: World, _ progress: World.Progress) {
    world.store.accept(version, of: path)
  }

  func take(_ answer: Void, in desk: inout Desk) {}
}

/// Reloads the document's file.
struct ReloadRequest: Request {
  var path: String
  var title: String
  /// The serial of the present version at the time of the request: a later one is not replaced.
  var serial: Int
  /// Whether the file was found changed; else the user asked for the reload.
  var isAutomatic = false

  var name: String { "reading \(title) again" }
  var isFromOutside: Bool { isAutomatic }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> OpenedFile {
    try world.reload(path, progress)
  }

  func take(_ answer: OpenedFile, in desk: inout Desk) throws {
    guard desk.file.isFile(answer.path) else { return }
    if desk.history.present.serial == serial || isAutomatic && !desk.isBusy {
      desk.takeAgain(answer, isAutomatic: isAutomatic)
    } else {
      desk.file.trouble = "changed on disk"
      desk.say(
        "\(title) was changed by another program, and edited here meanwhile: "
          + ":revert takes theirs, :w asks", .warning)
    }
  }

  func fail(_ failure: Failure, in desk: inout Desk) {
    desk.noteUnreadable()
    desk.fail(failure)
  }
}

/// Reads the coordinates of a large document that is shown already.
struct RestRequest: Request {
  var path: String
  var title: String
  var document: Document

  var name: String { "reading \(title)" }
  // A person who only watches has it read, too.
  var isFromOutside: Bool { true }
  var followsPicture: Bool { true }

  /// Returns whether the coordinates are sound; else the document is to be read again.
  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Bool {
    do {
      return try document.readCoordinates { try progress.report($0) }
    } catch {
      throw error as? Failure ?? Failure(.input, subject: path, what: "\(error)")
    }
  }

  func take(_ isSound: Bool, in desk: inout Desk) {
    guard desk.file.isPart, desk.file.isFile(path) else { return }
    if isSound {
      desk.file.isPart = false
      if desk.message == nil {
        desk.sayOpened(desk.notices, name: title, layers: desk.document.layers)
      }
    } else {
      desk.readAgain(path, isAutomatic: true)
    }
  }
}

/// Reads the layers of another file.
struct ImportRequest: Request {
  var path: String
  /// The name of the new layer; `nil` derives it from the file.
  var layerName: String?
  /// How to read it.
  var reading: (any FormatOptions)?
  /// The box along which features are cut, in the system of the file.
  var clip: BoxArgument?

  var name: String { "importing \(InputName.shown(path))" }
  var isEdit: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> ImportedData {
    var data = try world.importData(
      path, layerName: layerName, progress, reading: reading, keepsOrigin: clip == nil)
    guard let clip else { return data }
    var document = Document()
    document.metadata.take(data.coordinateSystem)
    do { try clip.check(in: document) } catch { throw Failure(error) }
    data.layers = try world.cut(
      data.layers, of: document, along: clip.box.areas(isGeographic: data.isGeographic), data.path,
      progress)
    return data
  }

  func take(_ answer: ImportedData, in desk: inout Desk) throws {
    if let target = desk.document.target(of: answer) {
      desk.request(ConversionRequest(data: answer, target: target))
    } else {
      try desk.take(answer)
    }
  }

  func remarks(on answer: ImportedData, _ desk: Desk) -> [Remark] {
    let remarks = desk.document.target(of: answer) == nil ? desk.document.remarks(on: answer) : []
    let isNothing = answer.layers.allSatisfy { layer in
      (layer as? any FeatureHolding)?.blocks.allSatisfy { $0.geometry.featureCount == 0 } ?? false
    }
    return remarks + (isNothing ? [Remark(text: "\(answer.path): no feature was read")] : [])
  }
}

/// Converts data of another coordinate system, and adds it.
struct ConversionRequest: Request {
  var data: ImportedData
  var target: CoordinateSystem

  var name: String { "converting \(data.path)" }
  var isEdit: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> ImportedData {
    var data = data
    try data.convert(into: target, progress)
    return data
  }

  func take(_ answer: ImportedData, in desk: inout Desk) throws { try desk.take(answer) }

  func remarks(on answer: ImportedData, _ desk: Desk) -> [Remark] {
    desk.document.remarks(on: answer)
  }
}

extension SaveRequest: Request {
  package var name: String { "saving \(path)" }
  package var isWriting: Bool { true }
  package var isSave: Bool { true }

  package func perform(
    in world: World, _ progress: World.Progress
  ) throws(Failure) -> World.SaveResult {
    try world.save(self)
  }

  package func take(_ answer: World.SaveResult, in desk: inout Desk) throws {
    switch answer {
    case .done(let notice, let isConfirmed):
      desk.noteSaved(self, notice: notice, isConfirmed: isConfirmed)
    case .conflict(let conflict): try desk.take(conflict, revision: revision)
    case .lossy(let loss): try desk.take(loss, revision: revision)
    }
  }

  package func fail(_ failure: Failure, in desk: inout Desk) {
    if desk.isEdited { desk.file.trouble = "not saved" }
    desk.file.quitsAfterSave = false
    desk.fail(failure)
  }

  package func abandoned(_ answer: World.SaveResult) -> [any Request] {
    // A save under another name has taken a lock.
    guard case .done = answer, path != "-", !FilePath.isSame(path, openPath) else { return [] }
    return [ReleaseRequest(path: path)]
  }

  package func remarks(on answer: World.SaveResult, _ desk: Desk) -> [Remark] {
    guard case .done(let notice?, _) = answer else { return [] }
    return [Remark(text: "\(path): \(notice)")]
  }
}

extension ExportRequest: Request {
  package var name: String { "exporting \(path)" }
  package var isWriting: Bool { true }
  package var isStoppable: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.export(self, progress)
  }

  package func take(_ answer: String, in desk: inout Desk) {
    desk.file.writtenRevision = desk.history.present.revision
    desk.say(answer)
  }
}

extension RenderRequest: Request {
  package var name: String { "rendering \(path)" }
  package var isWriting: Bool { true }
  package var isStoppable: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.render(self, progress)
  }

  package func take(_ answer: String, in desk: inout Desk) {
    desk.file.writtenRevision = desk.history.present.revision
    desk.say(answer)
  }
}

/// Releases the lock of a document that is no longer edited here.
struct ReleaseRequest: Request {
  var path: String

  var name: String { "" }

  func perform(in world: World, _ progress: World.Progress) { world.letGo(path) }
  func take(_ answer: Void, in desk: inout Desk) {}
}
