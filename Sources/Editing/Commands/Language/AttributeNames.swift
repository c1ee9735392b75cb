/// Names of attributes in messages.
enum AttributeNames {
  /// The most names in a message.
  static let most = 8

  /// The message for a name that no feature of a layer has: the names that were likely meant, else
  /// the first few that there are.
  static func missing(_ name: String, in layer: String, _ names: [String]) -> String {
    let question = question(name, names)
    if !question.isEmpty { return "no attribute “\(name)”\(question)" }
    if names.isEmpty { return "no attribute “\(name)”: no feature of “\(layer)” has attributes" }
    return "no attribute “\(name)”: “\(layer)” has " + list(names)
  }

  /// The names that were likely meant, as `: did you mean “POP_EST”?`; empty without any.
  static func question(_ name: String, _ names: [String]) -> String {
    let meant = Spelling.nearest(to: name, among: names).map { "“\($0)”" }
    return meant.isEmpty ? "" : ": did you mean \(meant.joined(separator: " or "))?"
  }

  /// Some names, and the number of the others: `a, b … and 87 more`.
  static func list(_ names: [String]) -> String {
    let text = names.prefix(most).joined(separator: ", ")
    return names.count > most ? "\(text) … and \(names.count - most) more" : text
  }
}
