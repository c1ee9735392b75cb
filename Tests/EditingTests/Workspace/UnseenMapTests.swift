import Archiving
import PortolanDocuments
import PortolanFiles
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// A pane that shows no map: no key and no command of maps acts on a map that nobody sees.
@Suite struct UnseenMapTests {
  /// A document whose only view is of a kind that this program does not know.
  private static func office() throws -> Office {
    let known = Array("PortolanMapView".utf8)
    var document = Document.towns
    let view = ViewID(document.makeID())
    document.views = [MapView(id: view, name: "Main", mapName: "Towns")]
    document.layout = .leaf(PaneLayout.Leaf(view: view))
    var bytes = try DocumentArchive.bytes(of: document)
    while let range = bytes.firstRange(of: known) {
      bytes.replaceSubrange(range, with: Array("PortolanZapView".utf8))
    }
    var office = Office(MemoryFileSystem(files: ["/m/a.doc": bytes]))
    try office.run("open /m/a.doc")
    return office
  }

  @Test func `The pane says that it shows no map, and tells no position`() throws {
    let office = try Self.office()
    #expect(office.desk.pane.kind.name == UnknownPane.name)
    let text = office.screen(CellSize(columns: 120, rows: 40))
    #expect(text.contains("PortolanZapView") && text.contains("unknown view"))
    #expect(!text.contains("/col") && !text.contains("mag "), "\(text)")
  }

  @Test func `No key of any section changes the document`() throws {
    let office = try Self.office()
    let serial = office.desk.history.present.serial
    for bindings in office.desk.session.keyMap.bindings.values {
      for binding in bindings {
        var pressed = office
        for key in binding.keys { _ = pressed.workspace.handle(.terminal(.key(key))) }
        #expect(
          pressed.workspace.documents.values.allSatisfy {
            $0.history.present.serial == serial || $0.id != office.desk.file.id
          }, "\(binding.notation) = \(binding.line)")
      }
    }
  }

  @Test func `No gesture of the mouse changes the document or the selection`() throws {
    let office = try Self.office()
    for gesture in office.desk.session.keyMap.gestures.keys {
      var desk = office.desk
      let line = office.desk.session.keyMap.gestures[gesture] ?? ""
      let words = line.replacing("{column}", with: "40").replacing("{row}", with: "12")
        .replacing("{columns}", with: "3").replacing("{rows}", with: "2")
      desk.attempt(line: words)
      #expect(desk.history.present.serial == office.desk.history.present.serial, "\(line)")
      #expect(desk.selection.isEmpty && desk.draft == nil, "\(line)")
    }
  }

  @Test(arguments: [
    "delete", "draw point", "select all", "set name=x", "paste", "undo", "go 15 50", "move",
  ])
  func `A command of maps refuses and says what to do`(line: String) throws {
    var office = try Self.office()
    let command = try #require(try Commands.parse(line))
    #expect(command is any MapCommand)
    let error = #expect(throws: EditingError.self) { try office.run(line) }
    #expect(error?.message.contains("this pane shows no map: :split right") == true)
    // There it acts.
    try office.run("split right")
    #expect(office.desk.isMapPane)
    try office.run("select all")
    #expect(!office.desk.selection.isEmpty)
    try office.press("<c-w>w")
    let again = #expect(throws: EditingError.self) { try office.run(line) }
    #expect(again?.message.contains("Ctrl-w w") == true)
  }

  @Test func `A command of the camera moves the map beside the pane`() throws {
    var office = try Self.office()
    #expect(throws: EditingError.self) { try office.run("zoom in") }
    try office.run("split right")
    let map = office.desk.pane.id
    try office.press("<c-w>w")
    let former = try #require(office.desk.session.panes[map]?.state.map)
    for line in ["zoom in", "pan right half", "fit all"] {
      let before = try #require(office.desk.session.panes[map]?.state.map).viewpoint
      try office.run(line)
      #expect(office.desk.session.panes[map]?.state.map?.viewpoint != before, "\(line)")
      #expect(!office.desk.isMapPane)
    }
    #expect(former.box == nil && office.desk.selection.isEmpty)
  }

  @Test func `A command without a name does not take the layer that nobody sees`() throws {
    for command in Commands.all where command != NewLayer.self {
      var desk = try Self.office().desk
      let serial = desk.history.present.serial
      for line in [command.name, command.name + " up", command.name + " --field name"] {
        try? desk.run(line: line)
        #expect(desk.history.present.serial == serial, "\(line)")
      }
    }
    // Named wholly it is another matter.
    var office = try Self.office()
    let name = try #require(office.desk.document.layers.last?.name)
    try office.run("delete-layer '\(name)'")
    #expect(office.desk.document.layers.last?.name != name)
  }

  @Test func `A script without a screen means the document`() throws {
    var desk = try Self.office().desk
    desk.isHeadless = true
    try desk.run(line: "select all")
    #expect(!desk.selection.isEmpty)
  }
}
