import Archiving
import Testing

/// Objects within objects: coding goes on through the properties, and back up by reference.
@Suite struct ItemExample {
  // snippet: item
  final class BNRItem: Coding {
    let itemName: String
    let serialNumber: String?
    let dateCreated: Double
    let itemKey: String
    let valueInDollars: Int
    let containedItem: BNRItem?
    private(set) weak var container: BNRItem?

    static var archivedClass: ArchivedClass { "BNRItem" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(itemName, forKey: "itemName")
      try coder.encodeString(serialNumber, forKey: "serialNumber")
      try coder.encodeDate(dateCreated, forKey: "dateCreated")
      try coder.encodeString(itemKey, forKey: "itemKey")
      try coder.encodeInt(valueInDollars, forKey: "valueInDollars")
      // Calls encode(with:) of that item in turn.
      try coder.encodeObject(containedItem, forKey: "containedItem")
      // Back to the owner: only if it is archived anyway.
      try coder.encodeConditionalObject(container, forKey: "container")
    }

    init(coder: any DecodingCoder) throws {
      itemName = try coder.decodeString(forKey: "itemName")
      serialNumber = try coder.decodeStringIfPresent(forKey: "serialNumber")
      dateCreated = try coder.decodeDate(forKey: "dateCreated")
      itemKey = try coder.decodeString(forKey: "itemKey")
      valueInDollars = try coder.decodeInt(forKey: "valueInDollars")
      containedItem = try coder.decodeObjectIfPresent(BNRItem.self, forKey: "containedItem")
      // The owner is still being made: it is handed over once everything stands.
      try coder.decodeReference(BNRItem.self, forKey: "container") { [weak self] in
        self?.container = $0
      }
    }

    init(_ name: String, serial: String?, created: Double, dollars: Int, holding item: BNRItem?) {
      (itemName, serialNumber, dateCreated) = (name, serial, created)
      (itemKey, valueInDollars, containedItem) = ("key of " + name, dollars, item)
      item?.container = self
    }
  }
  // end

  private func backpack() -> BNRItem {
    let compass = BNRItem("compass", serial: "C7", created: 1.5, dollars: 40, holding: nil)
    let pouch = BNRItem("pouch", serial: nil, created: 2, dollars: 5, holding: compass)
    return BNRItem("backpack", serial: "B1", created: 3, dollars: 90, holding: pouch)
  }

  private func check(_ copy: BNRItem) throws {
    #expect(copy.itemName == "backpack" && copy.serialNumber == "B1" && copy.dateCreated == 3)
    #expect(copy.itemKey == "key of backpack" && copy.valueInDollars == 90)
    let pouch = try #require(copy.containedItem)
    #expect(pouch.itemName == "pouch" && pouch.serialNumber == nil)
    let compass = try #require(pouch.containedItem)
    #expect(compass.itemName == "compass" && compass.dateCreated == 1.5)
    #expect(compass.container === pouch && pouch.container === copy && copy.container == nil)
  }

  @Test func `an item holds others in a keyed archive`() throws {
    let item = backpack()
    try check(KeyedUnarchiver.unarchive(BNRItem.self, from: KeyedArchiver.archive(item)))
  }

  @Test func `an item holds others in a sequential archive`() throws {
    let item = backpack()
    try check(Unarchiver.unarchive(BNRItem.self, from: Archiver.archive(item)))
  }

  @Test func `an item that is archived without its owner has none`() throws {
    let item = backpack()
    let pouch = try #require(item.containedItem)
    let bytes = try KeyedArchiver.archive(pouch)
    #expect(try KeyedUnarchiver.unarchive(BNRItem.self, from: bytes).container == nil)
  }
}
