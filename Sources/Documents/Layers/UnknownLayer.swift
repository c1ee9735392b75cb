package import Archiving
package import PortolanGraphics

/// A layer of an unknown kind: listed, not drawn, written back unchanged.
///
/// Renaming, hiding or restyling it lasts for the session only, because its archive is not touched.
/// Only its group, and its number as a part of another document, are written with their present
/// values.
package struct UnknownLayer: Layer, KeptPart {
  private let kept: UnknownObject
  /// The group named by `kept`.
  private let keptParent: LayerID?
  package private(set) var id: LayerID
  package var name: String
  package var isVisible = false
  package var isLocked = true
  package var parent: LayerID?
  package var style = Style(name: "", mark: MarkStyle())

  init(kept: UnknownObject) {
    self.kept = kept
    id = LayerID(kept.number(forKey: "id") ?? 0)
    name = kept.text(forKey: "name") ?? ""
    keptParent = kept.number(forKey: "parent").map { LayerID($0) }
    parent = keptParent
  }

  /// The layer as a part of another document.
  private init(_ layer: UnknownLayer, _ id: LayerID, name: String, parent: LayerID?) {
    kept = layer.kept.detached.settingNumbers([
      "id": Int(clamping: id.rawValue), "parent": Int(clamping: parent?.rawValue ?? 0),
    ])
    self.id = id
    self.name = name
    keptParent = parent
    self.parent = parent
  }

  package var sessionNumber: UInt64 {
    get { id.rawValue }
    set { id = LayerID(newValue) }
  }

  /// The name of its class in the archive.
  package var className: String { kept.className ?? "?" }

  package var kindCode: String { "?" }
  package var count: Int { 0 }
  package var extent: Box { .empty }
  package func legend(in visible: Box?) -> [LegendEntry] { [] }

  package func draw(on canvas: inout some Canvas, labelPriority priority: Int) {}

  /// Objects of its own document that it refers to are copied for it alone.
  package func renumbered(_ id: LayerID, name: String, parent: LayerID?) -> UnknownLayer {
    UnknownLayer(self, id, name: name, parent: parent)
  }
}

extension UnknownLayer: SubstitutingCoding {
  /// Never written: the kept object's own class is.
  package static var archivedClass: ArchivedClass { "PortolanUnknownLayer" }

  package func replacementObject(for coder: any EncodingCoder) -> (any Coding)? {
    if parent == keptParent { return kept }
    return kept.settingNumbers(["parent": Int(clamping: parent?.rawValue ?? 0)])
  }

  package func encode(with coder: any EncodingCoder) throws { try kept.encode(with: coder) }

  package init(coder: any DecodingCoder) throws {
    self.init(kept: try UnknownObject(coder: coder))
  }
}

extension UnknownObject {
  /// The permanent number under a key of the kept object; `nil` for other values.
  func number(forKey key: String) -> UInt64? {
    guard case .integer(let number) = content(forKey: key), number >= 1, number < 1 << 53 else {
      return nil
    }
    return UInt64(number)
  }

  /// The string under a key of the kept object.
  func text(forKey key: String) -> String? {
    guard let graph, case .reference(let reference) = content(forKey: key),
      case .bare(let value)? = (try? graph.node(reference))?.kind,
      case .string(let text)? = try? graph.content(of: value)
    else { return nil }
    return text
  }

  private func content(forKey key: String) -> ObjectGraph.Content? {
    guard let graph, let node,
      let field = (try? graph.node(node))?.fields.first(where: { $0.key == key })
    else {
      return nil
    }
    return try? graph.content(of: field.value)
  }
}
