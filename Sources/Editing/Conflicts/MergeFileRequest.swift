import PortolanComparing
import PortolanDocuments
import PortolanKeeping

/// Merging the document's file, written by another program, with the edits made here.
extension Desk {
  /// Requests the merge of the file with the document; the version last read or saved is the base.
  mutating func mergeFile() throws {
    try requireTakingPart()
    guard let path = file.path else {
      throw EditingError(.refused, "there is no file to merge with")
    }
    try requireWritable()
    guard let base = history.savedValue else {
      throw EditingError(
        .refused,
        "the version that these edits began with is not known any more: "
          + ":compare shows what differs")
    }
    request(
      MergeFileRequest(
        path: path, title: title, base: base, ours: document,
        serial: history.present.serial, isData: file.isData))
  }
}

/// The merge of the document's file with the document.
struct MergeFileRequest: Request {
  var path: String
  var title: String
  /// The version last read or saved.
  var base: Document
  var ours: Document
  /// The serial of the present version: after another edit the merge is not taken.
  var serial: Int
  /// Whether the file is of map data: numbers of features say nothing then.
  var isData: Bool

  struct Answer: Sendable {
    var file: OpenedFile
    var document: Document
    var conflicts: [MergeConflict]
    var takenCount: Int
    /// What is ours though both sides changed it.
    var remarks: [String] = []
  }

  var name: String { "merging \(title)" }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Answer {
    let file = try world.reload(path, progress.part(0, of: 2))
    if isData { return try mergedData(file, in: world, progress.part(1, of: 2)) }
    var merge = DocumentMerge(base: base, ours: ours, theirs: file.document)
    do {
      let document = try merge.merged { try progress.part(1, of: 2).report($0) }
      return Answer(
        file: file, document: document, conflicts: merge.conflicts, takenCount: merge.takenCount,
        remarks: merge.remarks)
    } catch let refusal as DocumentMerge.Refusal {
      throw Failure(
        .input, subject: path,
        what: refusal == .undecided(.ours) || refusal == .undecided(.theirs)
          ? "has conflicts of an earlier merge to be decided: ]c and :resolve"
          : "has coordinates of another system now: :revert takes it")
    } catch {
      throw Failure(error)
    }
  }

  /// A file of data is merged as a text: conflicts are in the features then, as the file has them.
  private func mergedData(
    _ file: OpenedFile, in world: World, _ progress: World.Progress
  ) throws(Failure) -> Answer {
    do {
      guard let codec = world.store.codec(of: path) else {
        throw Failure(.input, subject: path, what: "is not open any more")
      }
      let texts = try [
        codec.encode(base).bytes, codec.encode(ours).bytes, world.read(path).bytes,
      ]
      guard let former = try? MapText(texts[0]), let own = try? MapText(texts[1]) else {
        throw Failure(
          .unsupported, subject: path,
          what: "only GeoJSON, features a line and documents are merged: :compare shows what "
            + "differs")
      }
      var merge = MapMerge(base: former, ours: own, theirs: try MapText(texts[2]))
      let bytes = try merge.merged { try progress.report($0) }
      let merged = try codec.decode(bytes) { _ in }.document
      var document = ours
      guard let made = merged.layers.first as? any BlockHolding,
        let place = document.layers.firstIndex(where: { $0.id == made.id }),
        var layer = document.layers[place] as? any BlockHolding
      else { throw Failure(.unsupported, subject: path, what: "its layer is gone") }
      (layer.blocks, layer.source) = (made.blocks, made.source)
      layer.nextFeatureID = max(layer.nextFeatureID, made.nextFeatureID)
      document.layers[place] = layer
      return Answer(
        file: file, document: document, conflicts: merge.conflicts,
        takenCount: merge.takenCount + merge.mergedCount)
    } catch let fault as MapMerge.SideFault {
      throw Failure(.input, subject: path, what: fault.fault.what)
    } catch let fault as JSONSpans.Fault {
      throw Failure(.input, subject: path, what: fault.what)
    } catch {
      throw error as? Failure ?? Failure(.input, subject: path, what: "\(error)")
    }
  }

  func take(_ answer: Answer, in desk: inout Desk) throws {
    guard desk.file.isFile(answer.file.path) else { return }
    guard desk.history.present.serial == serial else {
      throw EditingError(.refused, "\(title) was edited meanwhile: ask again")
    }
    try desk.edit("merge with \(title) on the disk") { $0 = answer.document }
    desk.accept(answer.file)
    desk.file.trouble = nil
    let taken = CountText.features(answer.takenCount)
    let kept = answer.remarks.isEmpty ? nil : answer.remarks.joined(separator: "; ")
    guard !answer.conflicts.isEmpty else {
      return desk.say(
        "\(taken) of theirs merged, no conflicts: :w saves, u goes back", warning: kept)
    }
    let count = CountText.text(answer.conflicts.count, "conflict", "conflicts")
    let words = "\(taken) of theirs merged, \(count): ]c goes to the first, u goes back"
    desk.say([words, kept].compactMap { $0 }.joined(separator: "; "), .warning)
  }
}
