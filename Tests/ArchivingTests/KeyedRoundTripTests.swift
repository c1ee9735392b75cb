import Archiving
import Testing

@Suite struct KeyedRoundTripTests {
  @Test func `objects keep their state and their identity`() throws {
    let boss = Employee("Ada", "Lovelace", number: 1)
    let clerk = Employee("Zoë", "Übermaß", number: -7, manager: boss)
    let archiver = KeyedArchiver()
    try archiver.encodeObjects([clerk, boss, clerk], forKey: "staff")
    try archiver.encodeObject(boss, forKey: "boss")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    let staff = try unarchiver.decodeObjects(Employee.self, forKey: "staff")
    #expect(staff.map(\.firstName) == ["Zoë", "Ada", "Zoë"])
    #expect(staff.map(\.lastName) == ["Übermaß", "Lovelace", "Übermaß"])
    #expect(staff.map(\.number) == [-7, 1, -7])
    #expect(staff[0] === staff[2])
    #expect(staff[0].manager === staff[1])
    #expect(try unarchiver.decodeObject(Employee.self, forKey: "boss") === staff[1])
  }

  @Test func `a subclass archives its superclass's part too`() throws {
    let view = MapView(
      title: "Mount Rainier", magnification: 2.5, legend: View(title: "Legend"),
      auxiliary: View(title: "Auxiliary"))
    let bytes = try KeyedArchiver.archive(view)
    let again = try KeyedUnarchiver.unarchive(View.self, from: bytes, classes: [MapView.self])
    let map = try #require(again as? MapView)
    #expect(map.title == "Mount Rainier")
    #expect(map.magnification == 2.5)
    #expect(map.legend?.title == "Legend")
    #expect(map.auxiliary == nil)
  }
}
