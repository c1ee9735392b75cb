import PortolanTestSupport
import Testing

@testable import PortolanDocuments

@Suite("History")
struct HistoryTests {
  @Test("Undo and redo walk through the versions and say what they did")
  func walk() {
    var history = History("a")
    history.record("b", title: "one")
    history.record("c", title: "two")
    #expect(history.undo() == "two")
    #expect(history.value == "b" && history.redoTitle == "two" && history.undoTitle == "one")
    #expect(history.undo() == "one")
    #expect(history.undo() == nil && !history.canUndo)
    #expect(history.redo() == "one")
    history.record("d", title: "three")
    #expect(history.redo() == nil && history.value == "d")
    #expect(history.undo() == "three" && history.value == "b")
  }

  @Test("Steps of one stroke are undone together; another stroke or a save ends it")
  func strokes() {
    var history = History(0)
    for value in 1...5 { history.record(value, title: "drag", stroke: 1) }
    for value in 6...7 { history.record(value, title: "drag", stroke: 2) }
    #expect(history.past.map(\.value) == [0, 5])
    history.markSaved(history.present.revision)
    history.record(8, title: "drag", stroke: 2)
    #expect(history.undo() == "drag" && history.value == 7 && !history.isEdited)
    history.undo()
    #expect(history.value == 5)
    history.record(9, title: "drag", stroke: 1)
    #expect(history.past.map(\.value) == [0, 5])
  }

  @Test("An amendment is no step and does not make the value edited")
  func amend() {
    var history = History([1])
    history.amend { $0.append(2) }
    #expect(history.value == [1, 2] && !history.isEdited && !history.canUndo)
  }

  @Test("A value that no file has is edited until it is saved")
  func unsaved() {
    var history = History(1, isSaved: false)
    #expect(history.isEdited)
    history.markSaved(0)
    #expect(!history.isEdited)
    history.markUnsaved()
    #expect(history.isEdited)
  }

  /// The plainest model: all values in a row, and where one stands.
  private struct Model {
    var versions = [(number: 0, value: 0)]
    var place = 0
    var saved = 0
    var next = 1
  }

  @Test("Random edits, undos, redos and saves match the plainest model", arguments: Seeds.some(40))
  func property(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var history = History(0)
    var model = Model()
    for _ in 0..<300 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2:
        let value = Int.random(in: 0..<10, using: &random)
        history.record(value, title: "\(value)")
        model.versions.removeSubrange((model.place + 1)...)
        model.versions.append((model.next, value))
        model.next += 1
        model.place += 1
      case 3, 4:
        #expect((history.undo() != nil) == (model.place > 0))
        model.place = max(0, model.place - 1)
      case 5:
        #expect((history.redo() != nil) == (model.place + 1 < model.versions.count))
        model.place = min(model.versions.count - 1, model.place + 1)
      case 6:
        history.markSaved(history.present.revision)
        model.saved = model.versions[model.place].number
      default: break  // A save that failed: nothing is called.
      }
      #expect(history.value == model.versions[model.place].value)
      #expect(history.isEdited == (model.versions[model.place].number != model.saved))
      #expect(history.past.count == model.place)
      #expect(history.future.count == model.versions.count - 1 - model.place)
    }
  }
}
