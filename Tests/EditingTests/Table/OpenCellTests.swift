import PortolanDocuments
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// A cell that is being edited belongs to a feature and a column, wherever these go.
@Suite struct OpenCellTests {
  /// Bob edits a cell of the table of towns.
  private func room(
    filter: String? = nil, _ keys: String
  ) throws -> (room: Room, bob: SessionID) {
    var room = Room()
    let bob = try room.join("bob")
    room.run("table", bob)
    if let filter { room.run("filter \(filter)", bob) }
    try room.press(keys, bob)
    #expect(room.desk(bob).cellEditor != nil)
    return (room, bob)
  }

  private func values(_ name: String, _ room: Room) throws -> [String] {
    let layer = room.desk(.local).document.layers.first { $0.name == "towns" }
    return try #require(layer as? FeatureLayer).blocks.flatMap { block in
      (0..<block.rowCount).map { block.attribute(name, row: $0).text }
    }
  }

  @Test(arguments: ["Beta", "Delta"])
  func `A cell closes with a message where another person deletes its feature`(
    name: String
  ) throws {
    var (room, bob) = try room("\(name == "Beta" ? "j" : "G")<ret><c-u>Hacked")
    room.run("select where name = '\(name)'")
    room.run("delete")
    #expect(room.message(bob) == "\(name) is no longer in the table: the text was not set")
    #expect(room.desk(bob).cellEditor == nil)
    try room.press("<ret>", bob)
    #expect(try !values("name", room).contains("Hacked"))
  }

  @Test func `A cell closes with a message where a filter no longer holds its feature`() throws {
    var (room, bob) = try room(filter: "pop >= 100", "jl<ret><c-u>99999")
    room.run("select where name = 'Beta'")
    room.run("set pop=1")
    #expect(room.message(bob) == "Beta is no longer in the table: the text was not set")
    try room.press("<ret>", bob)
    #expect(try values("pop", room) == ["1000", "1", "77", "12345678901234567890"])
  }

  @Test func `A cell goes with its row and its column`() throws {
    var (room, bob) = try room("jl<ret><c-u>8")
    room.run("select where name = 'Alpha'")
    room.run("delete")
    room.run("column remove name")
    #expect(room.desk(bob).cellEditor != nil)
    try room.press("<ret>", bob)
    #expect(try values("pop", room) == ["8", "77", "12345678901234567890"])
    #expect(room.desk(bob).table?.current?.source == .attribute("pop"))
    try room.press("<ret><c-u>9", bob)
    room.run("column remove pop")
    #expect(
      room.message(bob) == "the column “pop” is no longer in the table: the text was not set")
    try room.press("<ret>", bob)
    #expect(try values("capital", room) == ["false", "false", "false"])
  }

  @Test func `The cursor keeps its column while columns before it go and come back`() throws {
    var office = Office()
    try office.run("table")
    try office.run("table column pop")
    try office.run("column remove name")
    #expect(office.desk.table?.current?.source == .attribute("pop"))
    try office.run("undo")
    #expect(office.desk.table?.current?.source == .attribute("pop"))
    #expect(office.desk.table?.column == 1)
  }

  @Test(arguments: ["unsort", "sort -pop", "sort name"])
  func `A row that an edit takes out of the filter stays until the edit is left`(
    order: String
  ) throws {
    var office = Office()
    try office.run("table")
    try office.run("filter pop >= 100")
    try office.run("table \(order)")
    try office.run("table column pop")
    let rows = try #require(office.desk.table).rows
    let features = (0..<rows.count).compactMap { rows.feature($0) }
    #expect(features.count == 3)
    try office.press("<ret><c-u>5<tab>")
    #expect(office.desk.cellEditor?.feature.feature == features[0])
    #expect(office.desk.cellEditor?.column == .attribute("capital"))
    #expect(office.desk.table?.rows.count == 3 && office.desk.table?.row == 0)
    try office.press("<c-u>true<ret>")
    let layer = try #require(office.desk.table).layer
    #expect(layer.attribute("pop", of: features[0]) == .number("5"))
    #expect(layer.attribute("capital", of: features[0]) == .bool(true))
    #expect(office.desk.table?.rows.count == 2 && office.desk.cellEditor == nil)
    // Down opens the row that followed.
    try office.run("table column pop")
    try office.press("gg<ret><c-u>6<down>")
    #expect(office.desk.cellEditor?.feature.feature == features[2])
    #expect(office.desk.table?.rows.count == 1)
    try office.press("<esc>")
  }
}
