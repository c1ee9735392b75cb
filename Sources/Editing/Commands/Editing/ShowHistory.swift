package import ArgumentParser
import PortolanDocuments

/// Lists the edits that can be undone.
package struct ShowHistory: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the last changes, the newest first.")

  package init() {}

  package func run(in desk: inout Desk) {
    let history = desk.history
    let done = history.past.count
    let last = (0..<min(done, 8)).map { place in
      let step = history[done - place]
      return desk.author(of: step).map { "\(step.title) (\($0))" } ?? step.title
    }
    let more = done > 8 ? " and \(done - 8) before" : ""
    let list = last.joined(separator: ", ")
    desk.answer(done == 0 ? "nothing was changed" : "newest first: \(list)\(more)")
  }
}
