import PortolanDocuments
import PortolanGraphics

/// The label and rank fields of a layer from a file, guessed from its contents.
struct LayerDefaults {
  let labelField: String?
  let rankField: String?

  init(blocks: [FeatureBlock]) {
    let columns = blocks.first?.attributes ?? []
    labelField = LabelField.guess(columns.map(\.name))
    rankField = RankField.guess(columns)
  }

  /// A style without a look: the document to which the layer is added gives it one.
  func style(named name: String) -> Style {
    Style(
      name: name, mark: MarkStyle(), labelField: labelField, rankField: rankField,
      rankOrder: rankField.map { RankOrder(ofFieldNamed: $0) } ?? .high)
  }
}
