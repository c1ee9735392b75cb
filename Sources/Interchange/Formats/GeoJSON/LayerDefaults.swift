import Documents
import Graphics

/// How a layer that comes from a file looks at first, told from what it holds.
struct LayerDefaults {
  /// The dimension that most features have: 0 points, 1 lines, 2 areas.
  let dimension: Int
  let labelField: String?
  let rankField: String?

  init(blocks: [FeatureBlock]) {
    var counts = [0, 0, 0]
    for block in blocks {
      for kind in block.geometry.kinds {
        if let dimension = kind.dimension { counts[dimension] += 1 }
      }
    }
    dimension = (0..<3).max { counts[$0] < counts[$1] } ?? 0
    let columns = blocks.first?.attributes ?? []
    labelField = LabelField.guess(columns.map(\.name))
    rankField = Self.rankField(of: columns)
  }

  /// The standard style of the dimension; neighbouring layers differ.
  func style(named name: String, layer number: UInt64) -> Style {
    let index = Int(truncatingIfNeeded: number & 0xFFFF)
    let standard = Style.standard(forDimension: dimension, index: index, name: name)
    return Style(name: name, mark: standard.mark, labelField: labelField, rankField: rankField)
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
