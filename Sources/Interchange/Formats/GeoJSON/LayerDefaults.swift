import PortolanDocuments
import PortolanGraphics

/// The label and rank fields of a layer from a file, guessed from its contents.
struct LayerDefaults {
  let labelField: String?
  let rankField: String?

  init(blocks: [FeatureBlock]) {
    let columns = blocks.first?.attributes ?? []
    labelField = LabelField.guess(columns.map(\.name))
    rankField = Self.rankField(of: columns)
  }

  /// A style without a look: the document to which the layer is added gives it one.
  func style(named name: String) -> Style {
    Style(name: name, mark: MarkStyle(), labelField: labelField, rankField: rankField)
  }

  /// The numeric field that ranks features, high first.
  private static func rankField(of columns: [AttributeColumn]) -> String? {
    let numbers = columns.filter { $0.kinds.contains(AttributeKind.number.rawValue) }
    for wanted in ["population", "pop_est", "pop_max", "pop"] {
      if let column = numbers.first(where: { $0.name.lowercased() == wanted }) {
        return column.name
      }
    }
    return nil
  }
}
