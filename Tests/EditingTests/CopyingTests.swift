import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Copies that go from one document into another.
@Suite struct CopyingTests {
  /// The towns with coordinates of another system.
  private static func towns(_ system: CoordinateSystem) -> Document {
    var document = Document.towns
    document.metadata.take(system)
    return document
  }

  /// An editor that has copied features of `source` and shows `document`.
  private static func editor(
    copying line: String, of source: Document, into document: Document
  ) throws -> Editor {
    var editor = Editor(source)
    try editor.run(line)
    try editor.run("yank")
    let register = editor.desk.session.register
    var other = Editor(document)
    other.desk.session.register = register
    return other
  }

  @Test(arguments: ["paste", "paste --in-place"])
  func `An empty document gets a layer for the copies, in one step`(line: String) throws {
    var editor = try Self.editor(copying: "go name Beta", of: .towns, into: Document())
    try editor.run(line)
    let layer = try #require(editor.layer("towns"))
    #expect(editor.document.layers.count == 1 && layer.count == 1 && layer.kindCode == "pt")
    #expect(editor.attribute("name", of: "Beta") == .string("Beta"))
    #expect(editor.desk.activeLayer == layer.id && editor.desk.selection.count == 1)
    try editor.run("undo")
    #expect(editor.document.layers.isEmpty && !editor.desk.isEdited)
    try editor.run("redo")
    #expect(editor.layer("towns")?.count == 1)
  }

  @Test(arguments: [CoordinateSystem.planar, CoordinateSystem(named: "EPSG:25832")])
  func `A document without features takes over the system of the copies`(
    system: CoordinateSystem
  ) throws {
    var empty = Document()
    empty.layers = [LayerKinds.features(LayerID(empty.makeID()), name: "sites")]
    let source = Self.towns(system)
    for document in [empty, Document()] {
      var editor = try Self.editor(copying: "select all", of: source, into: document)
      let selected = editor.desk.session.register.features.map(\.geometry)
      try editor.run("paste")
      #expect(editor.document.metadata.coordinateSystem == system)
      let pasted = editor.document.layers.flatMap { editor.features($0.name) }
      #expect(pasted.map(\.geometry) == selected)
      #expect(editor.document.extent.contains(editor.desk.camera.center))
      try editor.run("undo")
      #expect(editor.document.metadata.coordinateSystem == .crs84)
      // No planar position is left over, in no pane.
      #expect(abs(editor.desk.cursor.y) <= 90 && abs(editor.desk.camera.center.y) <= 90)
      #expect(throws: EditingError.self) { try editor.run("go previous") }
    }
  }

  @Test func `Copies of another system do not go beside features`() throws {
    var editor = try Self.editor(
      copying: "select all", of: Self.towns(.planar), into: .towns)
    let failure = #expect(throws: EditingError.self) { try editor.run("paste") }
    #expect(failure?.message.contains("empty document") == true)
  }

  @Test(arguments: Seeds.some(20))
  func `Copies in place are equal to the copied features`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let source = Self.towns([.crs84, .planar].randomElement(using: &random) ?? .crs84)
    var editor = Editor(source)
    let all = source.layers.flatMap { layer in
      editor.features(layer.name).map { FeatureReference(layer: layer.id, feature: $0.id) }
    }
    let chosen = all.filter { _ in Bool.random(using: &random) }
    guard !chosen.isEmpty else { return }
    editor.desk.select(chosen, .replace)
    try editor.run("yank")
    let register = editor.desk.session.register
    var other = Editor(Document())
    other.desk.session.register = register
    try other.run("paste --in-place")
    #expect(other.document.layers.map(\.name) == register.parts.map(\.name))
    let pasted = register.parts.flatMap { other.features($0.name) }
    #expect(pasted.map(\.geometry) == register.features.map(\.geometry))
    for (copy, feature) in zip(pasted, register.features) {
      #expect(copy.attributes.map(\.name) == feature.attributes.map(\.name))
      #expect(copy.attributes.map(\.value) == feature.attributes.map(\.value))
    }
    try other.run("undo")
    #expect(!other.desk.isEdited)
  }

  @Test(arguments: Seeds.some(12))
  func `Copies of several layers keep their layers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let source = Document.towns
    let all = source.layers.flatMap { layer in
      ((layer as? any FeatureHolding)?.blocks.flatMap(\.featureIDs) ?? [])
        .map { FeatureReference(layer: layer.id, feature: $0) }
    }
    let chosen = all.filter { _ in Bool.random(using: &random) }
    let layers = Set(chosen.map(\.layer))
    guard layers.count > 1 else { return }
    var editor = Editor(source)
    editor.desk.select(chosen.shuffled(using: &random), .replace)
    try editor.run("yank")
    try editor.run("paste --in-place")
    for layer in source.layers {
      let count = (layer as? any FeatureHolding)?.count ?? 0
      let copies = chosen.count { $0.layer == layer.id }
      #expect(editor.layer(layer.name)?.count == count + copies)
      let pasted = editor.features(layer.name).suffix(copies).map(\.geometry)
      let own = chosen.filter { $0.layer == layer.id }.compactMap { source.feature($0)?.geometry }
      #expect(Set(pasted.map { "\($0)" }) == Set(own.map { "\($0)" }))
    }
    #expect(editor.desk.selection.count == chosen.count)
    try editor.run("undo")
    #expect(!editor.desk.isEdited)
    // Another document has one layer of these names, and gets the others.
    var other = Editor(Document())
    let name = source.layers.first { layers.contains($0.id) }?.name ?? ""
    try other.run("new-layer \(name)")
    try other.run("new-layer more")
    other.desk.session.register = editor.desk.session.register
    other.desk.session.register.document = nil
    try other.run("paste")
    #expect(other.layer("more")?.count == 0)
    for layer in source.layers where layers.contains(layer.id) {
      #expect(other.layer(layer.name)?.count == chosen.count { $0.layer == layer.id })
    }
    #expect(other.document.layers.count == layers.count + 1)
  }

  @Test(arguments: Seeds.some(12))
  func `A layer that is made for copies looks like their own`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var source = Document.towns
    source.add([LayerKinds.notes(LayerID(1), name: "remarks")], hasLooks: true)
    var editor = Editor(source)
    try editor.run("layer remarks")
    for text in ["here", "there"] { try editor.run("annotate \(text)") }
    for layer in source.layers {
      try editor.run("layer \(layer.name)")
      let colour = String(Int.random(in: 0...0xFF_FFFF, using: &random), radix: 16)
      let hex = String(repeating: "0", count: 6 - colour.count) + colour
      let weight = ["light", "normal", "bold"].randomElement(using: &random) ?? "bold"
      try editor.run("style --stroke #\(hex) --weight \(weight) --min-zoom 2")
    }
    let all = editor.document.layers.flatMap { layer in
      editor.features(layer.name).map { FeatureReference(layer: layer.id, feature: $0.id) }
    }
    let chosen = all.filter { _ in Bool.random(using: &random) }
    guard !chosen.isEmpty else { return }
    editor.desk.select(chosen, .replace)
    try editor.run("yank")
    var other = Editor(Document())
    other.desk.session.register = editor.desk.session.register
    other.desk.session.register.document = nil
    try other.run("paste")
    #expect(other.document.layers.count == Set(chosen.map(\.layer)).count)
    for layer in other.document.layers {
      let own = try #require(editor.layer(layer.name))
      #expect(layer.style === own.style && layer.zooms == own.zooms)
      #expect((layer is any NoteHolding) == (own is any NoteHolding))
      #expect(layer.count == chosen.count { $0.layer == own.id })
    }
  }
}
