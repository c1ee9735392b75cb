import PortolanDocuments
import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanEditing

@Suite struct LayerTests {
  @Test func `Layers are shown and hidden as undoable edits`() throws {
    var editor = Editor()
    try editor.run("hide fields roads")
    #expect(editor.document.layers.map(\.isVisible) == [false, false, true])
    try editor.run("toggle 2")
    #expect(editor.document.layers.map(\.isVisible) == [false, true, true])
    try editor.run("show fields")
    try editor.press("u")
    #expect(editor.document.layers.map(\.isVisible) == [false, true, true])
    try editor.press("2u")
    #expect(!editor.desk.isEdited)
    try editor.run("show fields")
    #expect(!editor.desk.isEdited, "showing what is shown is no edit")
  }

  @Test(arguments: [
    ("roads", "roads"), ("1", "towns"), ("3", "fields"), ("fi", "fields"), ("ROADS", "roads"),
  ])
  func `A layer is named, numbered from the top, or begun`(text: String, name: String) throws {
    var editor = Editor()
    try editor.run("layer \(text)")
    #expect(editor.desk.active?.name == name)
  }

  @Test func `An unknown layer is told with those that exist`() throws {
    var editor = Editor()
    let error = #expect(throws: EditingError.self) { try editor.run("layer rivers") }
    #expect(error?.message == "no layer “rivers”: there are towns, roads, fields")
  }

  @Test func `The only layer is named as such`() throws {
    var editor = Editor()
    try editor.run("delete-layer towns")
    try editor.run("delete-layer roads")
    let error = #expect(throws: EditingError.self) { try editor.run("layer rivers") }
    #expect(error?.message == "no layer “rivers”: there is only “fields”")
  }

  @Test func `Features of a hidden layer are not chosen as a layer`() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("hide")
    for line in ["select layer", "select where true"] {
      let error = #expect(throws: EditingError.self) { try editor.run(line) }
      #expect(error?.message == "layer “towns” is hidden: :show shows it")
    }
    #expect(editor.desk.selection.isEmpty)
    try editor.run("show")
    try editor.run("select layer")
    #expect(!editor.desk.selection.isEmpty)
  }

  @Test func `Layers are made, renamed, reordered and deleted`() throws {
    var editor = Editor()
    try editor.run("new-layer notes")
    #expect(editor.document.layers.map(\.name) == ["fields", "roads", "towns", "notes"])
    try editor.run("rename memos")
    try editor.run("reorder bottom")
    #expect(editor.document.layers.map(\.name) == ["memos", "fields", "roads", "towns"])
    #expect(throws: EditingError.self) { try editor.run("reorder down") }
    #expect(throws: EditingError.self) { try editor.run("rename towns") }
    try editor.run("delete-layer towns")
    #expect(editor.document.layers.map(\.name) == ["memos", "fields", "roads"])
    try editor.press("u")
    #expect(editor.document.layers.map(\.name) == ["memos", "fields", "roads", "towns"])
    #expect(editor.attribute("pop", of: "Delta") == .number("12345678901234567890"))
    try editor.press("3u")
    #expect(!editor.desk.isEdited)
  }

  @Test func `Deleting a layer drops it from selection and draft`() throws {
    var editor = Editor()
    try editor.press("V")
    try editor.run("draw line")
    try editor.press(",1 1<ret><esc>")
    try editor.run("delete-layer")
    #expect(editor.desk.selection.isEmpty)
    #expect(editor.desk.draft == nil)
    #expect(editor.desk.active?.name == "roads")
  }

  @Test func `A locked layer refuses every change`() throws {
    var editor = Editor()
    try editor.run("select all")
    let all = editor.desk.selection
    try editor.run("lock towns")
    editor.desk.selection = all
    for line in ["set a=1", "delete", "move --by 1,1", "delete-layer towns", "draw"] {
      #expect(throws: EditingError.locked("towns"), "\(line)") { try editor.run(line) }
    }
  }

  @Test func `A style is changed by command and shared by layers that share it`() throws {
    var document = Document.towns
    document.layers[1].style = document.layers[0].style
    var editor = Editor(document)
    try editor.run("style fields --stroke red --fill #112233 --dash dashed --label name")
    let style = editor.document.layers[0].style
    #expect(style.mark.stroke == Colour(hex: "#d62728"))
    #expect(style.mark.fill == Colour(hex: "#112233"))
    #expect(style.mark.dash == .dashed)
    #expect(editor.document.layers[1].style === style)
    try editor.run("style towns --symbol ▲ --stroke none --rank pop")
    #expect(editor.document.layers[2].style.mark.symbol == "▲")
    #expect(editor.document.layers[2].style.mark.stroke == nil)
    #expect(editor.document.layers[2].style.rankField == "pop")
    for line in ["label towns --field nope", "label towns --field name --rank nope"] {
      let error = #expect(throws: EditingError.self) { try editor.run(line) }
      #expect(error?.message == "no attribute “nope”: “towns” has name, pop, capital")
    }
    try editor.run("label towns --field none")
    #expect(editor.document.layers[2].style.labelField == nil)
    try editor.press("3u")
    #expect(!editor.desk.isEdited)
    #expect(throws: EditingError.self) { try editor.run("style --stroke reddish") }
    #expect(throws: EditingError.self) { try editor.run("style --symbol ab") }
  }

  @Test func `The order of ranks follows from the attribute unless it is given`() throws {
    var editor = Editor(Document.towns)
    func style() -> Style { editor.document.layers[2].style }
    for line in ["go name Alpha", "set scalerank=1"] { try editor.run(line) }
    try editor.run("style towns --rank pop")
    #expect(style().rankField == "pop" && style().rankOrder == .high)
    try editor.run("style towns --rank scalerank")
    #expect(style().rankField == "scalerank" && style().rankOrder == .low)
    try editor.run("style towns --rank-order given")
    #expect(style().rankField == "scalerank" && style().rankOrder == .given)
    try editor.run("label towns --field name --rank pop --rank-order low")
    #expect(style().rankField == "pop" && style().rankOrder == .low)
    try editor.run("style towns --symbol x")
    #expect(style().rankOrder == .low)
    try editor.press("2u")
    #expect(style().rankField == "scalerank" && style().rankOrder == .given)
  }

  @Test func `The layers panel takes the keys and gives them back`() throws {
    var editor = Editor()
    try editor.press("<tab>")
    #expect(editor.desk.mode == .layers)
    try editor.press("jj<space>k")
    #expect(editor.document.layers.map(\.isVisible) == [false, true, true])
    #expect(editor.desk.active?.name == "roads")
    try editor.press("K")
    #expect(editor.document.layers.map(\.name) == ["fields", "towns", "roads"])
    try editor.press("rpaths<ret>")
    #expect(editor.desk.active?.name == "paths")
    #expect(editor.desk.mode == .layers)
    try editor.press("<ret>")
    #expect(editor.desk.mode == .normal)
  }

  @Test func `Panels, legend and overview go on and off`() throws {
    var editor = Editor()
    let narrow = editor.desk.mapArea.columns
    try editor.run("legend off")
    try editor.run("overview toggle")
    try editor.press("<f6>")
    #expect(editor.desk.panels == [.layers])
    try editor.press("<f2>")
    #expect(editor.desk.panels == [])
    #expect(editor.desk.mapArea.columns > narrow)
    try editor.run("panel all on")
    #expect(editor.desk.panels == .all)
  }

  @Test func `The projection is changed and kept at the save`() throws {
    var editor = Editor()
    try editor.go(2, 8)
    try editor.run("projection equirectangular")
    #expect(editor.desk.cursor == Coordinate(x: 2, y: 8))
    #expect(editor.desk.documentToSave.mapView?.projection == .equirectangular)
    #expect(!editor.desk.isEdited)
    #expect(throws: EditingError.self) { try editor.run("projection flat") }
  }

  @Test func `A group hides, locks and moves what it holds, and undo takes it back`() throws {
    var editor = Editor()
    try editor.run("group land fields roads")
    #expect(editor.document.layers.map(\.name) == ["fields", "roads", "land", "towns"])
    try editor.run("hide land")
    #expect(editor.document.shownLayers.map(\.name) == ["towns"])
    #expect(editor.document.layers.map(\.isVisible) == [true, true, false, true])
    try editor.run("show land")
    try editor.run("lock land")
    #expect(throws: EditingError.self) { try editor.run("go name 'Main road'") }
    try editor.run("layer roads")
    #expect(throws: EditingError.self) { try editor.run("draw line") }
    #expect(throws: EditingError.self) { try editor.run("delete-layer roads") }
    #expect(throws: EditingError.self) { try editor.run("ungroup") }
    try editor.run("unlock land")
    #expect(throws: EditingError.self) { try editor.run("reorder up") }
    try editor.run("reorder down")
    #expect(editor.document.layers.map(\.name) == ["roads", "fields", "land", "towns"])
    try editor.run("reorder top land")
    #expect(editor.document.layers.map(\.name) == ["towns", "roads", "fields", "land"])
    #expect(throws: EditingError.self) { try editor.run("style land --dash dotted") }
    #expect(throws: EditingError.self) { try editor.run("group x towns roads") }
    try editor.run("delete-layer land")
    #expect(editor.document.layers.map(\.name) == ["towns"])
    try editor.press("u")
    try editor.run("ungroup land")
    #expect(editor.document.layers.map(\.name) == ["towns", "roads", "fields"])
    #expect(editor.document.layers.allSatisfy { $0.parent == nil })
  }

  @Test func `A group's name means all its layers where a list of layers is asked for`() throws {
    var editor = Editor()
    try editor.run("group land fields roads")
    let ids = try LayerNames.ids(["land"], in: editor.document)
    #expect(ids.compactMap { editor.document[layer: $0]?.name } == ["fields", "roads", "land"])
  }
}
