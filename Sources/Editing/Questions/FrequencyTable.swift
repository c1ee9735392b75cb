import PortolanDocuments
import PortolanExpressions
import PortolanPrinting

/// The values of a column by how often they occur, the most frequent first.
package struct FrequencyTable: Sendable {
  /// What counts as one value: numbers that are equal, whatever their notation.
  struct Key: Hashable, Sendable {
    private var kind: AttributeKind
    private var value: Value

    init(_ value: AttributeValue) {
      kind = value.kind
      self.value = Value(value).canonical
      // A number beyond all doubles is its text.
      if case .number(let text) = value, case .null = self.value { self.value = .text(text) }
    }
  }

  struct Row: Sendable {
    var value: AttributeValue
    var count: Int

    /// The value in words, which tell null and what is missing from texts.
    var text: String {
      switch value {
      case .missing: "(missing)"
      case .null: "(null)"
      case .string(""): "(empty)"
      case .bool, .number, .string, .json: ColumnStatistics.short(value.text)
      }
    }
  }

  let name: String
  private(set) var rows: [Row]
  /// The features that were counted.
  let count: Int

  /// - Complexity: O(features).
  init(_ name: String, of layers: [any FeatureHolding]) {
    self.name = name
    var places: [Key: Int] = [:]
    var rows: [Row] = []
    var count = 0
    for block in layers.lazy.flatMap(\.blocks) {
      count += block.rowCount
      let column = block.column(name)
      for row in 0..<block.rowCount {
        let value = column?.value(row) ?? .missing
        let place = places[Key(value)] ?? rows.count
        if place == rows.count {
          places[Key(value)] = place
          rows.append(Row(value: value, count: 0))
        }
        rows[place].count += 1
      }
    }
    self.count = count
    let order = rows.indices.sorted {
      rows[$0].count != rows[$1].count ? rows[$0].count > rows[$1].count : $0 < $1
    }
    self.rows = order.map { rows[$0] }
  }

  /// The share of a row in percent.
  func share(_ row: Row) -> String {
    Figures.fixed(Double(row.count) * 100 / Double(max(1, count)), decimals: 1)
  }

  /// As a table with a limit.
  func table(limit: Int?) -> LayerTable {
    let kept = limit.map { rows.prefix($0) } ?? rows[...]
    return LayerTable(
      names: [name, "count", "percent"],
      rows: kept.map { [$0.value, .number(String($0.count)), .number(share($0))] },
      count: rows.count)
  }

  /// The features of a layer that have the value of a row.
  static func features(
    with value: AttributeValue, in column: String, of layer: any FeatureHolding
  ) -> [FeatureReference] {
    let key = Key(value)
    return layer.blocks.flatMap { block in
      let values = block.column(column)
      return (0..<block.rowCount).filter { Key(values?.value($0) ?? .missing) == key }.map {
        FeatureReference(layer: layer.id, feature: block.featureIDs[$0])
      }
    }
  }
}
