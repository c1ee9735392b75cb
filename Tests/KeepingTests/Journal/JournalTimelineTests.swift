import PortolanDocuments
import PortolanTestSupport
import Testing

@testable import PortolanKeeping

@Suite struct JournalTimelineTests {
  /// After random edits, undos and saves, a timeline that follows only what is new equals one made
  /// from all versions.
  @Test(arguments: UInt64(1)...20)
  func `A followed history is known as one read anew`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var history = History(Document())
    var timeline = JournalTimeline()
    for step in 1...300 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2: history.record(Document(), title: "edit")
      case 3: history.recordDraft(title: "vertex", stroke: Int.random(in: 1...3, using: &random))
      case 4:
        let equal = history[Int.random(in: 0..<history.count, using: &random)].revision
        history.recordReversal(
          Document(), title: "undo", of: history.present.serial,
          revision: Bool.random(using: &random) ? equal : nil)
      case 5, 6: for _ in 0..<Int.random(in: 1...8, using: &random) { history.undo() }
      case 7: history.redo()
      case 8: history.fold(draft: Int.random(in: 1...3, using: &random))
      default:
        switch Int.random(in: 0..<4, using: &random) {
        case 0: history.markUnsaved()
        case 1: _ = history.goBackToSaved(title: "saved")
        default: history.markSaved(history.present.revision)
        }
      }
      guard Bool.random(using: &random) else { continue }
      timeline.follow(history)
      let all = (0..<history.count).map { history[$0] }
      #expect(timeline.serials == all.map(\.serial), "step \(step)")
      let saved = all.lastIndex { $0.draftStroke == nil && $0.revision == history.savedRevision }
      #expect(timeline.savedPlace == saved, "step \(step)")
    }
  }
}
