/// The archive in words, for people and for programs.
extension InspectedArchive {
  /// What is written of an archive.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Form: Hashable, Sendable {
    /// The objects as an indented tree, for people; nothing in it acts on a terminal.
    case tree(TreeOptions = TreeOptions())
    /// All objects with their numbers and fields as one JSON object, which leaves nothing out.
    case json
    /// What the objects stand for, as one line of JSON: `portolan-values/1`.
    case values(ValueOptions = ValueOptions())
    /// One line of JSON of which `ArchiveConversion` makes the archive again.
    case exact
    /// The texts of strings and attributed strings, a line feed behind each.
    case text
    /// How many bytes and objects each class takes.
    case statistics
  }

  /// Writes the archive, or what a path leads to, in pieces of UTF-8.
  ///
  /// - Parameters:
  ///   - form: what is written.
  ///   - path: where it begins; `exact` and `statistics` are of the whole archive only.
  ///   - send: takes a piece; an error of it ends the writing.
  /// - Returns: the first broken place; `nil` where all could be read.
  /// - Throws: `InspectionError` when nothing is at the path, the archive cannot be written so
  ///   (without a survey only as a tree), its file cannot be read or changed meanwhile, or the text
  ///   becomes longer than the limits allow.
  @discardableResult
  public func write(
    _ form: Form, at path: InspectionPath = "", to send: ([UInt8]) throws -> Void
  ) throws -> String? {
    if case .tree = form {} else { try requireSurvey() }
    let broken = try withoutActuallyEscaping(send) { send in
      let output = TextOutput(inputCount: header.byteCount, limits: limits, send: send)
      switch form {
      case .tree(let options):
        return try Inspector(self).write(.tree, at: path, options, to: output)
      case .json: return try Inspector(self).write(.json, at: path, TreeOptions(), to: output)
      case .values(let options): return try writeValues(at: path, options, to: output)
      case .text: return try writeTexts(at: path, isSafe: false, to: output)
      case .exact, .statistics:
        guard path.steps.isEmpty else {
          throw InspectionError(.usage, "this form is of the whole archive, without a path")
        }
        if case .exact = form { return try writeExact(ValueOptions(), to: output) }
        return try Inspector(self).write(.statistics, at: path, TreeOptions(), to: output)
      }
    }
    try checkSource()
    return broken
  }

  /// The archive, or what a path leads to, as one text.
  ///
  /// - Throws: as `write(_:at:to:)`.
  public func text(_ form: Form, at path: InspectionPath = "") throws -> String {
    var bytes: [UInt8] = []
    try write(form, at: path) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension InspectionPath: ExpressibleByStringLiteral {
  /// Takes a path apart; an empty one and `/` lead to the roots.
  public init(stringLiteral text: String) { self.init(text) }
}
