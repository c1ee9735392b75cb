import Archiving
import Ports
import Synchronization
import Testing

@Suite("Calls between two ends")
struct CallTests {
  @Test("Arguments and results of many types travel, in both forms")
  func values() async throws {
    let ends = try Ends(there: Map("Europe"))
    let map = ends.here.root
    try blocking(map)
    let title: String = try await map.call("title")
    #expect(title == "Asia")
    let sum: Int = try await map.call("add", 20, 22)
    #expect(sum == 42)
  }

  private func blocking(_ map: DistantObject) throws {
    #expect(try map.call("title") == "Europe")
    try map.call("rename", "Asia")
    #expect(try map.call("add", 3, 4) == 7)
    let none: String? = try map.call("none")
    #expect(none == nil)
    #expect(try map.call("middle", Position(0, 0), Position(4, 6)) == Position(2, 3))
    #expect(try map.call("echo", [1, 2, 3]) == [1, 2, 3])
    let copy: Map = try map.call("copy")
    #expect(copy.title == "Asia")
  }

  @Test("An object is a distant one, is called, comes home as itself, and is given back")
  func references() throws {
    let ends = try Ends(there: Map("Europe"))
    var place: DistantObject? = try ends.here.root.call("place", "Oslo")
    #expect(try place?.call("name") == "Oslo")
    #expect(try ends.here.root.call("nameOf", place) == "Oslo")
    #expect(ends.there.vendedCount == 2)
    place = nil
    #expect(eventually { ends.there.vendedCount == 1 })
    var many: [DistantObject] = try ends.here.root.call("keep", 100)
    #expect(try many.map { try $0.call("name") as String } == (0..<100).map { "\($0)" })
    #expect(ends.there.vendedCount == 101)
    many = []
    #expect(eventually { ends.there.vendedCount == 1 })
  }

  @Test("A call-back comes within the call, also where both ends have one thread for all")
  func callBacks() throws {
    let visitor = Visitor()
    let ends = try Ends(there: Map("Europe"))
    #expect(try ends.here.root.call("visit", visitor) == "they said hello Europe")
    #expect(visitor.seen.withLock { $0 } == ["Europe"])
  }

  @Test("Call-backs within call-backs end at the limit, and the connection lives")
  func depth() throws {
    let (one, two) = (Visitor(), Visitor())
    let ends = try Ends(here: one, there: two)
    #expect {
      let _: Int = try ends.here.root.call("again", one)
    } throws: {
      ($0 as? PortFailure)?.name == "PortError"
    }
    #expect(one.depth + two.depth == PortLimits().depthMax)
    let ends2 = try Ends(there: Map("Europe"))
    #expect(try ends2.here.root.call("title") == "Europe")
    try ends.here.root.call("note", "alive")
    #expect(two.seen.withLock { $0 } == ["alive"])
  }

  @Test("Failures cross with their name, text, code and path")
  func failures() throws {
    let ends = try Ends(there: Map("Europe"))
    let root = ends.here.root
    let failure = #expect(throws: PortFailure.self) { try root.call("fail", "no such map") }
    #expect(failure?.name == "NotFound" && failure?.reason == "no such map")
    #expect(failure?.path == "$top.$0")
    let unknown = #expect(throws: PortFailure.self) { try root.call("init(coder:)") }
    #expect(unknown?.name == PortFailure.noMethod)
    let wrong = #expect(throws: PortFailure.self) { try root.call("rename", 7) }
    #expect(wrong?.name == "ArchiveError" && wrong?.path.isEmpty == false)
    let few = #expect(throws: PortFailure.self) { try root.call("add", 1) }
    #expect(few?.code == "valueNotFound")
    let many = #expect(throws: PortFailure.self) { try root.call("title", 1, 2) }
    #expect(many?.code == "invalidValue")
    #expect(try root.call("title") == "Europe")
  }
}
