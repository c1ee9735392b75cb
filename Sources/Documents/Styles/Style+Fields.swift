extension Style {
  /// What it makes of an attribute, in words: labels, ranks, sizes, classes.
  package func uses(of field: String) -> [String] {
    let uses = [
      ("labels", labelField), ("ranks", rankField), ("sizes", sizeField),
      ("classes", classes?.field),
    ]
    return uses.filter { $0.1?.hasSameBytes(as: field) == true }.map(\.0)
  }

  /// This style with another name of an attribute that it uses; the same object if it does not.
  package func renamingField(_ field: String, to name: String) -> Style {
    if uses(of: field).isEmpty { return self }
    func renamed(_ other: String?) -> String? {
      other?.hasSameBytes(as: field) == true ? name : other
    }
    return changed { content in
      content.labelField = renamed(content.labelField)
      content.rankField = renamed(content.rankField)
      content.sizeField = renamed(content.sizeField)
      if let classes = content.classes, classes.field.hasSameBytes(as: field) {
        content.classes = StyleClasses(
          field: name, scheme: classes.scheme, looks: classes.looks, noValue: classes.noValue,
          other: classes.other)
      }
    }
  }
}
