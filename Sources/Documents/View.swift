/// A view of a document: what a pane shows, archived with it.
///
/// To add a kind: `Views/<Kind>View.swift` and a line in `ViewKinds.all`.
package protocol View: Sendable {
  var id: ViewID { get }
  var name: String { get set }
}
