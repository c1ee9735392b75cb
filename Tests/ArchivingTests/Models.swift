import Archiving

/// The employee of the seeds: shared references, and a chain of any depth.
final class Employee: Coding {
  let firstName: String
  let lastName: String
  let number: Int
  let manager: Employee?

  init(_ firstName: String, _ lastName: String, number: Int, manager: Employee? = nil) {
    self.firstName = firstName
    self.lastName = lastName
    self.number = number
    self.manager = manager
  }

  static var archivedClass: ArchivedClass { "Employee" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(firstName, forKey: "firstName")
    try coder.encodeString(lastName, forKey: "lastName")
    try coder.encodeInt(number, forKey: "employeeNumber")
    try coder.encodeObject(manager, forKey: "manager")
  }

  init(coder: any DecodingCoder) throws {
    firstName = try coder.decodeString(forKey: "firstName")
    lastName = try coder.decodeString(forKey: "lastName")
    number = try coder.decodeInt(forKey: "employeeNumber")
    manager = try coder.decodeObjectIfPresent(Employee.self, forKey: "manager")
  }
}

/// A class with a subclass, which calls `super` both ways.
class View: Coding {
  var title: String
  var unread = UnreadFields()

  init(title: String) { self.title = title }

  class var archivedClass: ArchivedClass { "View" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(title, forKey: "title")
    try coder.encodeUnreadFields(unread)
  }

  required init(coder: any DecodingCoder) throws {
    title = try coder.decodeString(forKey: "title")
    unread = try coder.unreadFields()
  }
}

/// The map view of the seeds: a scalar, an object and a conditional object.
final class MapView: View {
  var magnification: Double
  var legend: View?
  var auxiliary: View?

  init(title: String, magnification: Double, legend: View? = nil, auxiliary: View? = nil) {
    self.magnification = magnification
    self.legend = legend
    self.auxiliary = auxiliary
    super.init(title: title)
  }

  override class var archivedClass: ArchivedClass {
    ArchivedClass("MapView", superclass: super.archivedClass, formerNames: ["OldMapView"])
  }

  override func encode(with coder: any EncodingCoder) throws {
    try coder.encodeDouble(magnification, forKey: "magnification")
    try coder.encodeObject(legend, forKey: "legend")
    try coder.encodeConditionalObject(auxiliary, forKey: "auxiliary")
    try super.encode(with: coder)
  }

  required init(coder: any DecodingCoder) throws {
    magnification = try coder.decodeDoubleIfPresent(forKey: "magnification") ?? 1
    legend = try coder.decodeObjectIfPresent(View.self, forKey: "legend")
    auxiliary = try coder.decodeObjectIfPresent(View.self, forKey: "auxiliary")
    try super.init(coder: coder)
  }
}

/// An identity of its own kind.
struct StyleID: ArchiveIdentity { var number: Int }

/// A value that is shared by its identity.
struct Style: IdentifiedCoding, Equatable {
  var archiveIdentity: StyleID
  var colour: String

  static var archivedClass: ArchivedClass { "Style" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(archiveIdentity.number, forKey: "id")
    try coder.encodeString(colour, forKey: "colour")
  }

  init(number: Int, colour: String) {
    archiveIdentity = StyleID(number: number)
    self.colour = colour
  }

  init(coder: any DecodingCoder) throws {
    archiveIdentity = try Self.decodeArchiveIdentity(with: coder)
    colour = try coder.decodeString(forKey: "colour")
  }

  static func decodeArchiveIdentity(with coder: any DecodingCoder) throws -> StyleID {
    StyleID(number: try coder.decodeInt(forKey: "id"))
  }
}
