import PortolanDocuments
import PortolanExpressions

/// Expressions in styles.
extension Desk {
  /// Why a text is no channel of a layer's style; `nil` if it is one. A layer without features may
  /// be given any.
  static func fault(ofChannel text: String, of layer: any Layer) -> String? {
    guard let layer = layer as? any FeatureHolding,
      layer.blocks.contains(where: { $0.rowCount > 0 })
    else { return nil }
    let names = layer.fieldNames
    if names.contains(text) { return nil }
    // A word is a name; so is a wrong expression that looks like one.
    let missing = AttributeNames.missing(text, in: layer.name, names)
    if text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) { return missing }
    do {
      try QuestionedLayers.telling {
        let rows = layer.expressionRows(isGeographic: false)
        _ = try StyleChannel.expression(text, names: names, blocks: rows)
      }
      return nil
    } catch {
      let isComputed = (try? Expression(text)).map { $0.attribute == nil } ?? false
      return isComputed || AttributeNames.question(text, names).isEmpty ? "\(error)" : missing
    }
  }

  /// Tells of the styles whose expressions an edit has made unfit: such layers are drawn plainly.
  mutating func tellUnfitStyles(since former: Document) {
    for layer in document.layers {
      guard let layer = layer as? any FeatureHolding,
        let old = former[layer: layer.id] as? any FeatureHolding,
        !old.blocks.elementsEqual(layer.blocks, by: ===)
      else { continue }
      let style = layer.style
      let texts = [style.labelField, style.rankField, style.sizeField, style.classes?.field]
      for text in Set(texts.compactMap { $0 }).sorted() {
        guard Self.fault(ofChannel: text, of: old) == nil,
          let fault = Self.fault(ofChannel: text, of: layer)
        else { continue }
        warn("“\(layer.name)” is drawn without “\(text)”: \(fault)")
      }
    }
  }

  /// Adds a warning to the message of a command; on standard error without an editor.
  mutating func warn(_ words: String) {
    // The line of a prompt is a command in a command: both see the edit.
    if message?.text.hasSuffix(words) == true { return }
    say(message.map { $0.text + "; " + words } ?? words, .warning)
    if isHeadless { send(.warn(words)) }
  }
}
