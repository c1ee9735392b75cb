import Archiving
import Foundation
import Testing

/// Deep chains in typedstreams: archived as deep as the stack allows, and refused beyond.
@Suite struct SequentialDepthTests {
  /// A chain of employees, each the manager of the next, written without any class.
  static func chainStream(_ length: Int) -> [UInt8] {
    var writer = TypedstreamWriter()
    var name: Int?
    for number in 0..<length {
      writer.beginGroup("@")
      writer.beginObject([("Employee", 0), ("NSObject", 0)])
      for _ in 0..<2 {
        writer.beginGroup("@")
        if let name {
          writer.writeReference(name)
        } else {
          name = writer.beginObject([("NSString", 1), ("NSObject", 0)])
          writer.beginGroup("+")
          writer.writeBytes(Array("A".utf8))
          writer.endObject()
        }
      }
      writer.beginGroup("q")
      writer.writeInteger(Int64(number), type: UInt8(ascii: "q"))
    }
    writer.beginGroup("@")
    writer.writeNone()
    for _ in 0..<length { writer.endObject() }
    return writer.bytes
  }

  private static var unlimited: ArchiveLimits {
    var limits = ArchiveLimits()
    limits.depthMax = .max
    return limits
  }

  @Test func `the stream that is written without classes is what the archiver writes`() throws {
    #expect(try Archiver.archive(chain(1)).count == Self.chainStream(1).count)
    let employee = try Unarchiver.unarchive(Employee.self, from: Self.chainStream(50))
    #expect(height(employee) == 50)
  }

  @Test func `five thousand levels go in and out on eight mebibytes`() throws {
    // Without optimisation a level takes about three times the stack.
    #if DEBUG
      let stack = 24 << 20
    #else
      let stack = 8 << 20
    #endif
    let height = try onStack(bytes: stack) {
      let bytes = try Archiver.archive(chain(5_000))
      return try ArchivingTests.height(Unarchiver.unarchive(Employee.self, from: bytes))
    }
    #expect(height == 5_000)
  }

  @Test(arguments: [256 << 10, 512 << 10, 8 << 20])
  func `a hundred thousand levels are refused before the stack ends`(_ stack: Int) throws {
    let archive = Self.chainStream(100_000)
    let decoding = try onStack(bytes: stack) { () -> ArchiveError.Code? in
      do {
        _ = try Unarchiver.unarchive(Employee.self, from: archive, limits: Self.unlimited)
        return nil
      } catch let error as ArchiveError {
        return error.code
      }
    }
    #expect(decoding == .tooDeep)
    let encoding = try onStack(bytes: stack) { () -> ArchiveError.Code? in
      var employees: [Employee] = [Employee("A", "A", number: 0)]
      for number in 1..<100_000 {
        employees.append(Employee("A", "A", number: number, manager: employees[number - 1]))
      }
      defer {
        // Released from the top down, so that the test itself does not recurse.
        while employees.popLast() != nil {}
      }
      do {
        _ = try Archiver.archive(employees[employees.count - 1], limits: Self.unlimited)
        return nil
      } catch let error as ArchiveError {
        return error.code
      }
    }
    #expect(encoding == .tooDeep)
  }

  @Test func `a deep chain is looked at and written again on a small stack`() throws {
    let archive = Self.chainStream(100_000)
    let isSame = try onStack(bytes: 256 << 10) {
      try TypedstreamWriter.rewrite(Typedstream(archive)) == archive
    }
    #expect(isSame)
  }
}
