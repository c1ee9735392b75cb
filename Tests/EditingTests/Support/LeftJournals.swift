import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping

@testable import PortolanEditing

extension MemoryFileSystem {
  /// Where journals lie in tests.
  static let state = StateFolder(path: "/state/portolan")

  /// Journals that a document was given a title, as an editor would that is ended then.
  func leaveJournal(
    title: String, on document: Document, path: String = "", time: Double = 1000
  ) {
    var history = History(document)
    var changed = document
    changed.metadata.title = title
    history.record(changed, title: "title")
    let identity = path.isEmpty ? nil : (try? status(path, in: nil))?.identity
    let writer = JournalWriter(
      folder: JournalFolder(Self.state, in: self), process: 1, now: { time }, report: { _ in })
    writer.begin(
      JournalWriter.Start(
        path: path, identity: identity, history: history, basePlace: 0, isBaseSaved: true))
    writer.close(atMost: 60)
    closeAll()
  }
}
