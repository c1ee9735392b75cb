import Archiving
import Foundation
import Testing

/// A Python that has bpylist2: the environment variable PORTOLAN_PYTHON names it.
let pythonWithReaders: String? = {
  guard let path = ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"] else { return nil }
  return try? runPython(path, "import bpylist2; print(1)", []) == "1\n" ? path : nil
}()

private func runPython(_ path: String, _ script: String, _ arguments: [String]) throws -> String? {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = ["-c", script] + arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return process.terminationStatus == 0 ? String(decoding: output, as: UTF8.self) : nil
}

@Suite(.enabled(if: pythonWithReaders != nil, "PORTOLAN_PYTHON names no python with bpylist2"))
struct PythonInteropTests {
  private func run(_ script: String, _ bytes: [UInt8] = []) throws -> (text: String, file: [UInt8])
  {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "portolan-bpylist-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let path = try #require(pythonWithReaders)
    let text = try #require(try runPython(path, script, [file.path]))
    return (text, [UInt8](try Data(contentsOf: file)))
  }

  @Test func `bpylist2 reads our collections`() throws {
    let archiver = KeyedArchiver()
    let root: Cocoa.Object = .dictionary(
      Cocoa.Dictionary([
        Cocoa.Dictionary.Pair(key: "list", value: .array([1, 2.5, true, "Zoë", .data([1, 2])])),
        Cocoa.Dictionary.Pair(key: "set", value: .set(Cocoa.Set(["a"]))),
        Cocoa.Dictionary.Pair(
          key: "date", value: .date(Cocoa.Date(secondsSinceReferenceDate: 86_400))),
      ]))
    try archiver.encodeObject(root, forKey: "root")
    let script = """
      import sys
      from bpylist2 import archiver
      d = archiver.unarchive(open(sys.argv[1], 'rb').read())
      print(d['list'], d['set'], d['date'].unix_timestamp if hasattr(d['date'], 'unix_timestamp')
        else d['date'])
      """
    let text = try run(script, archiver.finish()).text
    #expect(text.hasPrefix("[1, 2.5, True, 'Zoë', b'\\x01\\x02'] {'a'} "))
  }

  @Test func `bpylist2 reads our objects with a class of its own`() throws {
    let boss = Employee("Ada", "Lovelace", number: 1)
    let bytes = try KeyedArchiver.archive(Employee("Zoë", "", number: -7, manager: boss))
    let script = """
      import sys
      from bpylist2 import archiver
      class Employee:
        def __init__(self, d): self.d = d
        def decode_archive(d): return Employee({k: d.decode(k) for k in
          ('firstName', 'lastName', 'employeeNumber', 'manager')})
      archiver.update_class_map({'Employee': Employee})
      e = archiver.unarchive(open(sys.argv[1], 'rb').read())
      print(e.d['firstName'], e.d['employeeNumber'], e.d['manager'].d['firstName'],
        e.d['manager'].d['manager'])
      """
    #expect(try run(script, bytes).text == "Zoë -7 Ada None\n")
  }

  @Test func `we read what bpylist2 writes`() throws {
    let script = """
      import sys
      from bpylist2 import archiver
      d = {'a': 1, 'b': [1.5, True, 'x', b'zz'], 'ü': 'Zoë', 's': {'p'}}
      open(sys.argv[1], 'wb').write(archiver.archive(d))
      """
    let unarchiver = try KeyedUnarchiver(run(script).file)
    guard case .dictionary(let root) = try unarchiver.decodeAnyValue(forKey: "root") else {
      Issue.record("no dictionary")
      return
    }
    #expect(root["a"] == 1)
    #expect(root["b"] == .array([1.5, true, "x", .data(Array("zz".utf8))]))
    #expect(root["ü"] == "Zoë")
    #expect(root["s"] == .set(Cocoa.Set(["p"])))
  }
}
