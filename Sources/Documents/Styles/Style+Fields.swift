import PortolanExpressions

extension Style {
  /// What it makes of an attribute, in words: labels, ranks, sizes, classes.
  package func uses(of field: String) -> [String] {
    let uses = [
      ("labels", labelField), ("ranks", rankField), ("sizes", sizeField),
      ("classes", classes?.field),
    ]
    return uses.filter { $0.1?.hasSameBytes(as: field) == true }.map(\.0)
  }

  /// This style with another name of an attribute that it uses, by itself or in expressions; the
  /// same object if it does not.
  ///
  /// - Parameter names: the attributes of the features, with the former name.
  package func renamingField(_ field: String, to name: String, among names: [String]) -> Style {
    let newNames = names.map { $0.hasSameBytes(as: field) ? name : $0 }
    func renamed(_ text: String) -> String {
      if text.hasSameBytes(as: field) { return name }
      // What is the name of another attribute is no expression.
      guard !names.contains(where: { $0.hasSameBytes(as: text) }),
        let made = (try? Expression(text))?.renaming(field, to: name)
      else { return text }
      // Nor may it become one.
      return newNames.contains { $0.hasSameBytes(as: made) } ? "(" + made + ")" : made
    }
    let texts = [labelField, rankField, sizeField, classes?.field].compactMap { $0 }
    if texts.allSatisfy({ renamed($0).hasSameBytes(as: $0) }) { return self }
    return changed { content in
      content.labelField = content.labelField.map(renamed)
      content.rankField = content.rankField.map(renamed)
      content.sizeField = content.sizeField.map(renamed)
      if let classes = content.classes {
        content.classes = StyleClasses(
          field: renamed(classes.field), scheme: classes.scheme, looks: classes.looks,
          noValue: classes.noValue,
          other: classes.other)
      }
    }
  }
}
