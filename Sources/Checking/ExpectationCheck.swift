package import PortolanDocuments
package import PortolanExpressions

/// Expectations of the features of a map, by its owner.
package enum ExpectationCheck {
  /// The features of a layer for which an expression does not hold; null does not hold.
  ///
  /// - Throws: `ExpressionError` for an expression that does not fit the columns.
  package static func features(
    of layer: any FeatureHolding, expecting text: String, isGeographic: Bool
  ) throws(ExpressionError) -> [Finding] {
    let expression = try Expression(text)
    let blocks = layer.expressionRows(isGeographic: isGeographic)
    try expression.checkCondition(
      in: Schema(names: layer.fieldNames, blocks: blocks, wanted: expression.attributes))
    var tally = Tally()
    let bound = expression.bound(to: FeatureSet(blocks), &tally)
    var findings: [Finding] = []
    for block in blocks {
      let matches = bound.matches(in: block, &tally)
      var next = 0
      for row in 0..<block.rowCount {
        if next < matches.count, matches[next] == row {
          next += 1
          continue
        }
        findings.append(
          finding(.expectation, "\(text) does not hold", layer, block.block.featureIDs[row]))
      }
    }
    return findings
  }

  /// The features of a layer whose value of an attribute another one has, too.
  ///
  /// Features without a value are told as well: such an attribute is no key.
  package static func features(
    of layer: any FeatureHolding, withoutUnique name: String
  ) -> [Finding] {
    var known: [AttributeValue: FeatureID] = [:]
    var findings: [Finding] = []
    for block in layer.blocks {
      for (row, id) in block.featureIDs.enumerated() {
        let value = block.attribute(name, row: row)
        if value == .missing || value == .null {
          findings.append(finding(.notUnique, "\(name) has no value", layer, id))
        } else if let first = known[value] {
          findings.append(
            finding(
              .notUnique,
              "\(name) is \(value.text.prefix(80)), as of feature \(first.rawValue)", layer, id))
        } else {
          known[value] = id
        }
      }
    }
    return findings
  }

  private static func finding(
    _ code: FaultCode, _ message: String, _ layer: any FeatureHolding, _ id: FeatureID
  ) -> Finding {
    Finding(
      code, message, path: "\(layer.name), feature \(id.rawValue)",
      feature: FeatureReference(layer: layer.id, feature: id))
  }
}
