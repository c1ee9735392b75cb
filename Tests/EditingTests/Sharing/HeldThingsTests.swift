import PortolanDocuments
import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// Moves, forms and picked vertices end with a message where another person removes their object.
@Suite struct HeldThingsTests {
  private func room(_ lines: String...) throws -> (room: Room, bob: SessionID) {
    var room = Room()
    let bob = try room.join("bob")
    for line in lines { room.run(line, bob) }
    return (room, bob)
  }

  /// Picks a vertex of the selected feature.
  private func pick(_ vertex: Int, _ room: inout Room, _ person: SessionID) {
    for _ in 0..<8 where room.desk(person).selection.vertex?.vertex != vertex {
      room.run("next vertex", person)
    }
    #expect(room.desk(person).selection.vertex?.vertex == vertex)
  }

  /// Bob moves a vertex of the area Small, and Ann has picked one.
  private func roomWithPicks(ofBob: Int, ofAnn: Int) throws -> (Room, SessionID) {
    var (room, bob) = try room("layer fields", "select where name = 'Small'")
    pick(ofBob, &room, bob)
    try room.press("m", bob)
    room.run("layer fields")
    room.run("select where name = 'Small'")
    pick(ofAnn, &room, .local)
    return (room, bob)
  }

  private func small(_ room: Room) throws -> [Coordinate] {
    let layer = try #require(room.desk(.local).document.layers.first as? FeatureLayer)
    return try #require(layer.feature(FeatureID(2))).geometry.paths[0].vertices
  }

  @Test func `A picked vertex stays the one at its place while others of the shape go`() throws {
    var (room, bob) = try roomWithPicks(ofBob: 2, ofAnn: 1)
    room.run("delete")
    #expect(try small(room).count == 4)
    #expect(room.desk(bob).selection.vertex?.vertex == 1)
    #expect(room.desk(bob).mode == .move)
    room.run("go to 60 40", bob)
    try room.press("<ret>", bob)
    let vertices = try small(room)
    #expect(vertices.contains(Coordinate(x: 5, y: 15)) && vertices.count == 4)
    #expect(!vertices.contains(Coordinate(x: 20, y: 15)), "\(vertices)")
  }

  @Test func `A picked vertex that another person moves is let go of`() throws {
    var (room, bob) = try roomWithPicks(ofBob: 2, ofAnn: 2)
    room.run("move --by 1,1")
    #expect(
      room.message(bob)
        == "ann changed the shape of Small: the vertex is not picked any more, and not moved")
    #expect(room.desk(bob).mode != .move && room.desk(bob).selection.vertex == nil)
    let vertices = try small(room)
    try room.press("l<ret>", bob)
    #expect(try small(room) == vertices)
  }

  @Test func `MOVE ends where another person removes what is moved, or a filter hides it`() throws {
    var (room, bob) = try room("layer towns", "filter pop >= 100", "select where name = 'Alpha'")
    try room.press("m", bob)
    #expect(room.desk(bob).mode == .move)
    room.run("select where name = 'Alpha'")
    room.run("delete")
    #expect(room.message(bob) == "ann removed Alpha: nothing is moved any more")
    #expect(room.desk(bob).mode != .move)
    room.run("select where name = 'Beta'", bob)
    try room.press("m", bob)
    room.run("select where name = 'Beta'")
    room.run("set pop=1")
    #expect(
      room.message(bob)
        == "an edit of ann lets the filter hide Beta: nothing is moved any more")
    #expect(room.desk(bob).mode != .move)
  }

  @Test func `A form tells what another person took away from under it`() throws {
    var (room, bob) = try room("layer towns", "select where name = 'Beta'")
    try room.press("ej<ret><c-u>half", bob)
    #expect(room.desk(bob).form?.current?.name == "pop")
    room.run("column remove pop")
    #expect(room.message(bob) == "ann removed the attribute “pop”: “half” was not set")
    #expect(room.desk(bob).form != nil && room.desk(bob).form?.editing == nil)
    try room.press("g<ret><c-u>part", bob)
    room.run("select where name = 'Beta'")
    room.run("delete")
    #expect(room.message(bob) == "ann removed Beta: “part” was not set")
    #expect(room.desk(bob).form == nil)
    room.run("select where name = 'Gamma'", bob)
    try room.press("e", bob)
    room.run("select where name = 'Gamma'")
    room.run("delete")
    #expect(room.message(bob) == "ann removed Gamma: the form is closed")
  }

  @Test func `A draft goes on as a feature where another person removes its part`() throws {
    var (room, bob) = try room()
    room.run("layer roads")
    room.run("select where name = 'Main road'")
    for line in ["part", "put 0 20", "put 5 20", "finish"] { room.run(line) }
    for line in ["layer roads", "select where name = 'Main road'", "append", "put 6 21"] {
      room.run(line, bob)
    }
    #expect(room.desk(bob).draft?.vertexCount == 1)
    room.run("undo")
    #expect(
      room.message(bob)
        == "ann removed what you draw on: your draft goes on in layer “roads”")
    #expect(room.desk(bob).draft?.vertexCount == 1)
  }
}
