import PortolanDocuments
import PortolanGraphics

/// What labels and ranks the features of a layer that comes from a file, told from what it holds.
struct LayerDefaults {
  let labelField: String?
  let rankField: String?

  init(blocks: [FeatureBlock]) {
    let columns = blocks.first?.attributes ?? []
    labelField = LabelField.guess(columns.map(\.name))
    rankField = Self.rankField(of: columns)
  }

  /// A style without a look: the document that takes the layer in gives it one.
  func style(named name: String) -> Style {
    Style(name: name, mark: MarkStyle(), labelField: labelField, rankField: rankField)
  }

  /// The field whose number tells how much a feature matters, high first.
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
