import Archiving
import Foundation
import Ports
import Synchronization
import Testing

/// The code of `Docs/ports.md`, run.
@Suite("The examples of the page on Ports") struct PortsExample {
  struct Point: Coding, Equatable {
    var x: Double
    var y: Double
    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    static var archivedClass: ArchivedClass { "Point" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeDouble(x, forKey: "x")
      try coder.encodeDouble(y, forKey: "y")
    }
    init(coder: any DecodingCoder) throws {
      x = try coder.decodeDouble(forKey: "x")
      y = try coder.decodeDouble(forKey: "y")
    }
  }

  final class Mark: Vended {
    let name: String
    let point: Point
    init(_ name: String, _ point: Point) { (self.name, self.point) = (name, point) }
    static let portMethods = PortMethods(Mark.self) { list in list.on("name") { $0.name } }
  }

  // snippet: vend
  final class Chart: Vended {
    var title = "Skagerrak"
    var marks: [Mark] = []

    static let portMethods = PortMethods(Chart.self) { list in
      list.on("title") { chart in chart.title }
      list.on("rename") { (chart, title: String) in chart.title = title }
      list.on("add") { (chart, name: String, point: Point) in
        let mark = Mark(name, point)
        chart.marks.append(mark)
        return mark  // an instance of a class: a reference, the mark stays here
      }
      list.on("points") { chart in chart.marks.map(\.point) }  // values: copies
      list.on("tour") { (chart, visitor: DistantObject) in
        for mark in chart.marks { try visitor.call("see", mark.name) }  // call-backs
      }
    }
  }
  // end

  // snippet: visitor
  final class Visitor: Vended {
    var seen: [String] = []

    static let portMethods = PortMethods(Visitor.self) { list in
      list.on("see") { (visitor, name: String) in visitor.seen.append(name) }
    }
  }
  // end

  @Test("Two ends call each other")
  func calls() throws {
    let folder = try SocketFolder()
    let path = folder.path + "/chart"
    // snippet: listen
    let listener = try PortListener(at: path) { client in Chart() }
    // end
    // snippet: call
    let connection = try PortConnection(to: path)
    let chart = connection.root
    let title: String = try chart.call("title")
    try chart.call("rename", "Kattegat")
    let anholt: DistantObject = try chart.call("add", "Anholt", Point(x: 11.6, y: 56.7))
    let name: String = try anholt.call("name")
    let points: [Point] = try chart.call("points", timeLimit: .seconds(2))

    let visitor = Visitor()
    try chart.call("tour", visitor)  // visitor.seen is ["Anholt"]
    // end
    #expect(title == "Skagerrak" && name == "Anholt" && points == [Point(x: 11.6, y: 56.7)])
    #expect(try chart.call("title") == "Kattegat")
    #expect(visitor.seen == ["Anholt"])
    listener.close()
  }

  @Test("A mailbox takes the calls of all clients")
  func mailbox() throws {
    let folder = try SocketFolder()
    let path = folder.path + "/chart"
    let woken = DispatchSemaphore(value: 0)
    let wake = { @Sendable in _ = woken.signal() }
    // snippet: mailbox
    let mailbox = PortQueue(mailbox: { wake() })  // called on any thread
    let listener = try PortListener(at: path, options: PortOptions(queue: mailbox)) { _ in Chart() }
    // In the run loop, when it is woken:
    mailbox.runPending()
    // end
    let title = Mutex("")
    Thread.detachNewThread {
      let found: String? = try? PortConnection(to: path).root.call("title")
      title.withLock { $0 = found ?? "none" }
    }
    let arrived = eventually {
      if woken.wait(timeout: .now()) == .success { mailbox.runPending() }
      return title.withLock { $0 } == "Skagerrak"
    }
    #expect(arrived)
    listener.close()
  }

  // snippet: copies
  /// Always a copy, under the name that all programs know; without its number for other programs.
  final class Employee: PortCoding {
    let firstName: String
    let number: Int

    init(_ firstName: String, number: Int) { (self.firstName, self.number) = (firstName, number) }

    func replacementObject(for coder: PortArchiver) -> PortReplacement { .copy(self) }

    static var archivedClass: ArchivedClass { "Employee" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(firstName, forKey: "firstName")
      if !(coder is PortArchiver) { try coder.encodeInt(number, forKey: "employeeNumber") }
    }
    init(coder: any DecodingCoder) throws {
      firstName = try coder.decodeString(forKey: "firstName")
      number = try coder.decodeIntIfPresent(forKey: "employeeNumber") ?? 0
    }
  }

  /// A view of a map: its legend goes with a copy, the auxiliary view stays where it is.
  final class MapView: Coding {
    let mapName: String
    let legend: Employee?
    let auxiliary: DistantObject?
    let ownAuxiliary: Mark?

    init(_ mapName: String, legend: Employee?, auxiliary: Mark?) {
      (self.mapName, self.legend, ownAuxiliary) = (mapName, legend, auxiliary)
      self.auxiliary = nil
    }

    static var archivedClass: ArchivedClass { "MapView" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(mapName, forKey: "mapName")
      try coder.encodeObject(legend, forKey: "legendView")
      try coder.encodeByrefObject(ownAuxiliary, forKey: "auxiliaryView")
    }
    init(coder: any DecodingCoder) throws {
      mapName = try coder.decodeString(forKey: "mapName")
      legend = try coder.decodeObjectIfPresent(Employee.self, forKey: "legendView")
      auxiliary = try coder.decodeObjectIfPresent(DistantObject.self, forKey: "auxiliaryView")
      ownAuxiliary = nil
    }
  }
  // end

  final class Office: Vended {
    static let portMethods = PortMethods(Office.self) { list in
      list.on("employee") { _ in Employee("Ada", number: 7) }
      list.on("view") { _ in
        Bycopy(
          MapView(
            "Europe", legend: Employee("Ada", number: 7),
            auxiliary: Mark("Oslo", Point(x: 10.7, y: 59.9))))
      }
    }
  }

  @Test("Copies hold copies, and references where they ask for them")
  func copies() throws {
    let (here, there) = try PortStreams.pair()
    let server = try PortConnection(there, root: Office())
    let connection = try PortConnection(here)
    let office = connection.root
    // snippet: copying
    let ada: Employee = try office.call("employee")  // a copy: its class says so
    let view: MapView = try office.call("view")  // a copy: the method returned Bycopy(view)
    let city: String? = try view.auxiliary?.call("name")  // a reference inside the copy
    // end
    #expect(ada.firstName == "Ada" && ada.number == 0)
    #expect(view.mapName == "Europe" && view.legend?.firstName == "Ada" && city == "Oslo")
    #expect(server.vendedCount == 2)
  }

  // snippet: restricted
  /// What lets a program in: it is sent to that program, and never stored.
  struct Ticket: Coding {
    let code: String

    init(_ code: String) { self.code = code }

    static var archivedClass: ArchivedClass { "Ticket" }
    func encode(with coder: any EncodingCoder) throws {
      guard coder is PortArchiver else {
        throw ArchiveError(.misuse, "a ticket is no part of an archive")
      }
      try coder.encodeString(code, forKey: "code")
    }
    init(coder: any DecodingCoder) throws { code = try coder.decodeString(forKey: "code") }
  }
  // end

  private final class Gate: Vended {
    static let portMethods = PortMethods(Gate.self) { list in
      list.on("ticket") { (_, name: String) in Ticket("for \(name)") }
      list.on("read") { (_, ticket: Ticket) in ticket.code }
    }
  }

  @Test("A class for port coders alone goes into no archive")
  func restricted() throws {
    let (here, there) = try PortStreams.pair()
    let server = try PortConnection(there, root: Gate())
    let connection = try PortConnection(here)
    let ticket: Ticket = try connection.root.call("ticket", "Ada")
    let code: String = try connection.root.call("read", ticket)
    #expect(code == "for Ada")
    #expect(throws: ArchiveError.self) { try KeyedArchiver.archive(ticket) }
    #expect(throws: ArchiveError.self) { try Archiver.archive(ticket) }
    #expect(throws: ArchiveError.self) { try KeyedArchiver.archive(connection.root) }
    #expect(throws: ArchiveError.self) { try Archiver.archive(connection.root) }
    server.close()
  }

  @Test("The page shows this code")
  func page() throws {
    let file = URL(fileURLWithPath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = root.appendingPathComponent("Docs/ports.md")
    let source = try String(contentsOf: file, encoding: .utf8)
    var names: [String] = []
    var text = try String(contentsOf: page, encoding: .utf8)
    for part in source.components(separatedBy: "// snippet: ").dropFirst()
    where part.contains("// end\n") {
      let lines = part.components(separatedBy: "\n")
      let body = lines.dropFirst().prefix { !$0.hasSuffix("// end") }
      let indent = body.first?.prefix { $0 == " " }.count ?? 0
      let code = body.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
      names.append(lines[0])
      let mark = "<!-- snippet: \(lines[0]) -->\n```swift\n"
      let start = try #require(text.range(of: mark)).upperBound
      let end = try #require(text.range(of: "\n```", range: start..<text.endIndex)).lowerBound
      if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
        text.replaceSubrange(start..<end, with: code)
        try text.write(to: page, atomically: true, encoding: .utf8)
      } else {
        #expect(text[start..<end] == code, "UPDATE_GOLDENS=1 writes the page anew")
      }
    }
    #expect(names.count == 8)
    #expect(text.components(separatedBy: "<!-- snippet: ").count - 1 == names.count)
  }
}
