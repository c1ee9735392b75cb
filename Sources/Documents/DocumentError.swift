/// An error of a document, and its place.
package struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// An edit names a layer, feature, view or vertex that does not exist.
    case notFound
    /// A value that cannot be stored.
    case invalidValue
    /// A stored value breaks a rule of the format.
    case corrupt
    /// The document was written by a newer version than this program reads.
    case newerVersion
  }

  package var code: Code
  /// A key path, such as `layers[3].blocks[2]`; empty for the document itself.
  package var path: String
  package var message: String

  package init(_ code: Code, path: String = "", _ message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
