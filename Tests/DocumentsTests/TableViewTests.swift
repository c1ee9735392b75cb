import Archiving
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

@Suite struct TableViewTests {
  private func document(_ change: (inout TableView) -> Void) -> Document {
    var document = Document()
    var table = TableView(id: ViewID(7), name: "Table")
    change(&table)
    document.views.append(table)
    document.layout = .node(
      PaneLayout.Node(
        axis: .rows,
        parts: [ViewID(1), ViewID(7)].map { .init(layout: .leaf(PaneLayout.Leaf(view: $0))) }))
    document.nextID = 8
    return document
  }

  @Test(arguments: Seeds.some(20))
  func `A table opens as it was saved`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names = ["a", "", "e\u{301}", "é", "$id", "a\0b", "\u{1B}"].shuffled(using: &random)
    let document = document { table in
      table.layer = Bool.random(using: &random) ? LayerID(5) : nil
      table.frozen = Int.random(in: 0...9, using: &random)
      table.columns = names.prefix(Int.random(in: 0...7, using: &random)).map {
        var column = TableColumn(
          Int.random(in: 0..<5, using: &random) == 0 ? .identifier : .attribute($0))
        column.width = Int.random(in: 0...1000, using: &random)
        column.isHidden = Bool.random(using: &random)
        column.sort = Int.random(in: -3...3, using: &random)
        return column
      }
    }
    let bytes = try DocumentArchive.bytes(of: document)
    let opened = try DocumentArchive.open(bytes).document
    let former = try #require(document.views.last as? TableView)
    let table = try #require(opened.views.last as? TableView)
    #expect(table.layer == former.layer && table.frozen == former.frozen)
    #expect(table.columns.map(\.source) == former.columns.map(\.source))
    #expect(table.columns.map(\.width) == former.columns.map(\.width))
    #expect(table.columns.map(\.isHidden) == former.columns.map(\.isHidden))
    #expect(table.columns.map(\.sort) == former.columns.map(\.sort))
    #expect(try DocumentArchive.bytes(of: opened) == bytes)
  }

  @Test func `A table without a pane is not saved`() throws {
    var document = document { $0.frozen = 1 }
    document.layout = nil
    let opened = try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
    #expect(!opened.views.contains { $0 is TableView })
  }

  @Test func `A width beyond the bounds is refused`() throws {
    let document = document { table in
      table.columns = [TableColumn(.attribute("a"))]
      table.columns[0].width = 1001
    }
    let bytes = try DocumentArchive.bytes(of: document)
    #expect(throws: (any Error).self) { try DocumentArchive.open(bytes) }
  }

  @Test func `Names of columns are equal by their bytes`() {
    #expect(TableColumn.Source.attribute("é") != .attribute("e\u{301}"))
    #expect(TableColumn.Source.attribute("a") == .attribute("a"))
    #expect(TableColumn.Source.identifier != .attribute("$id"))
  }
}
