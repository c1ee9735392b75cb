package import PortolanDocuments

/// The attributes of the selection as a list that is edited by keyboard.
package struct AttributeForm: Hashable, Sendable {
  /// One attribute of the selected features.
  package struct Row: Hashable, Sendable {
    package var name: String
    /// The common value; `nil` if they differ.
    package var value: AttributeValue?
  }

  /// The content of the form's line editor.
  package enum Field: Hashable, Sendable {
    case value
    case newName
    /// The first value of a new attribute, which is not created before the value is accepted.
    case newValue(String)
    case rename
  }

  package var features: [FeatureReference]
  package var rows: [Row]
  package var index: Int
  /// The line being typed and its field; `nil` when moving through the list.
  package var editing: (field: Field, line: LineEditor)?

  package init(features: [FeatureReference], rows: [Row]) {
    self.features = features
    self.rows = rows
    index = 0
  }

  package static func == (left: AttributeForm, right: AttributeForm) -> Bool {
    left.features == right.features && left.rows == right.rows && left.index == right.index
      && left.editing?.field == right.editing?.field && left.editing?.line == right.editing?.line
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(features)
    hasher.combine(rows)
    hasher.combine(index)
  }
}
