import Archiving
import Testing

/// A class that has keys where the coder has them, and an order where it has not.
@Suite struct EmployeeExample {
  // snippet: employee
  final class Employee: Coding {
    var firstName: String
    var lastName: String
    var number: Int

    init(_ firstName: String, _ lastName: String, number: Int) {
      (self.firstName, self.lastName, self.number) = (firstName, lastName, number)
    }

    static var archivedClass: ArchivedClass { "Employee" }

    func encode(with coder: any EncodingCoder) throws {
      if coder.allowsKeyedCoding {
        try coder.encodeString(firstName, forKey: "First")
        try coder.encodeString(lastName, forKey: "Last")
        try coder.encodeInt(number, forKey: "Number")
      } else {
        try coder.encodeString(firstName)
        try coder.encodeString(lastName)
        try coder.encodeInt(number)
      }
    }

    init(coder: any DecodingCoder) throws {
      if coder.allowsKeyedCoding {
        // In any order.
        number = try coder.decodeInt(forKey: "Number")
        firstName = try coder.decodeString(forKey: "First")
        lastName = try coder.decodeString(forKey: "Last")
      } else {
        // In the order of encoding.
        firstName = try coder.decodeString()
        lastName = try coder.decodeString()
        number = try coder.decodeInt()
      }
    }
  }
  // end

  // snippet: employee-use
  func copies(of employee: Employee) throws -> [Employee] {
    let keyed = try KeyedArchiver.archive(employee)
    let sequential = try Archiver.archive(employee)
    return [
      try KeyedUnarchiver.unarchive(Employee.self, from: keyed),
      try Unarchiver.unarchive(Employee.self, from: sequential),
    ]
  }
  // end

  // snippet: person
  /// Fields in one fixed order serve both kinds of coders: no branch is needed.
  struct Person: Coding, Equatable {
    var firstName: String
    var lastName: String
    var height: Float

    static var archivedClass: ArchivedClass { "Person" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(firstName, forKey: "firstName")
      try coder.encodeString(lastName, forKey: "lastName")
      try coder.encodeFloat(height, forKey: "height")
    }

    init(coder: any DecodingCoder) throws {
      firstName = try coder.decodeString(forKey: "firstName")
      lastName = try coder.decodeString(forKey: "lastName")
      height = try coder.decodeFloat(forKey: "height")
    }
  }
  // end

  @Test func `an employee goes through keyed and sequential archives`() throws {
    for copy in try copies(of: Employee("Ada", "Lovelace", number: 36)) {
      #expect(copy.firstName == "Ada")
      #expect(copy.lastName == "Lovelace")
      #expect(copy.number == 36)
    }
  }

  @Test func `the keyed branch writes keys, the other none`() throws {
    let employee = Employee("Ada", "Lovelace", number: 36)
    let graph = try ObjectGraph(KeyedArchiver.archive(employee))
    let fields = try graph.node(NodeID(rawValue: 1)).fields.map(\.key)
    #expect(fields == ["First", "Last", "Number"])
    let stream = String(decoding: try Archiver.archive(employee), as: UTF8.self)
    #expect(stream.contains("Lovelace") && !stream.contains("Last"))
  }

  @Test func `a person needs no branch`() throws {
    let bytes = try KeyedArchiver.archive(Person(firstName: "Grace", lastName: "H", height: 1.7))
    let person = try KeyedUnarchiver.unarchive(Person.self, from: bytes)
    #expect(person == Person(firstName: "Grace", lastName: "H", height: 1.7))
    #expect(try Unarchiver.unarchive(Person.self, from: Archiver.archive(person)) == person)
  }
}

extension EmployeeExample.Person {
  init(firstName: String, lastName: String, height: Float) {
    (self.firstName, self.lastName, self.height) = (firstName, lastName, height)
  }
}
