import Foundation
import PortolanFiles
import Testing

/// Other programs, without a shell and within limits.
@Suite struct ChildProcessTests {
  private func run(
    _ name: String, _ arguments: [String], _ limits: ChildProcess.Limits = .init()
  ) throws -> ChildProcess.Result {
    let program = try #require(ChildProcess(named: name, limits: limits))
    return try program.run(arguments, in: ScratchFolder()) { _ in }
  }

  @Test func `Its output, its errors and its code are told`() throws {
    #expect(try run("true", []).end == .exit(code: 0))
    #expect(try run("false", []).end == .exit(code: 1))
    let result = try run("ls", ["/nothing-is-here"])
    #expect(result.end == .exit(code: 2) && result.errors.contains("/nothing-is-here"))
    #expect(try run("cat", []).output == "")
  }

  @Test(arguments: ["-n", "a b", "$HOME;ls", "*", "", "'\"", "é\nx", "--optfile"])
  func `An argument arrives as it is`(_ word: String) throws {
    #expect(try run("printf", ["%s|", word]).output == word + "|")
  }

  @Test func `Nothing of the environment but a few words reaches it`() throws {
    setenv("PORTOLAN_SECRET", "told", 1)
    let output = try run("env", []).output
    #expect(!output.contains("PORTOLAN_SECRET") && output.contains("LC_ALL=C.UTF-8"))
  }

  @Test func `It works in its folder, and the folder goes with its files`() throws {
    var folder: ScratchFolder? = try ScratchFolder()
    let path = try #require(folder?.path)
    try folder?.write([1, 2, 3], to: "input")
    let program = try #require(ChildProcess(named: "cp"))
    if let folder {
      let result = try program.run(["input", "output"], in: folder) { _ in }
      #expect(result.end == .exit(code: 0))
      #expect(try folder.read("output") == [1, 2, 3])
    }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `It is killed when its progress throws`() throws {
    struct Stop: Error {}
    let program = try #require(ChildProcess(named: "sleep"))
    let start = ContinuousClock.now
    #expect(throws: Stop.self) {
      _ = try program.run(["60"], in: ScratchFolder()) { _ in throw Stop() }
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `It is ended where it takes too much`() throws {
    let limits = ChildProcess.Limits(fileSize: 1 << 16, seconds: 1)
    let tooLong = try run("cat", ["/dev/zero"], limits)
    #expect(tooLong.end == .signal(Int(SIGXFSZ)))
  }

  @Test func `A program that is not installed is none`() {
    #expect(ChildProcess(named: "no-such-program-anywhere") == nil)
  }
}
