import Foundation
import Glibc
import Testing

/// Signals end the program while another program works for it.
@Suite struct InterruptionTests {
  /// A stand-in for GDAL that works for ten minutes.
  private static let info = """
    #!/bin/sh
    echo '  GML -vector- (rw+v): Geography Markup Language'
    echo '  GPKG -vector- (rw+v): GeoPackage'
    """
  private static let converter = "#!/bin/sh\necho $$ > \"$STARTED\"\nexec sleep 600\n"

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP], ["towns.gml", "-"])
  func `It ends, and the other program with it`(_ number: Int32, _ output: String) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(#"{"type":"Point","coordinates":[1,2]}"#, to: "towns.geojson")
    let started = program.path("started")
    for (name, text) in [("ogrinfo", Self.info), ("ogr2ogr", Self.converter)] {
      try program.write(text.replacing("\"$STARTED\"", with: started), to: name)
      #expect(chmod(program.path(name), 0o700) == 0)
    }
    let process = Process()
    process.executableURL = Program.path
    process.arguments = ["export", "towns.geojson", "--format", "gml", "-o", output]
    process.currentDirectoryURL = program.folder
    process.environment = ["PATH": program.folder.path + ":/usr/bin:/bin"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let child = try #require(Self.wait { try? Int32(program.read("started").dropLast()) ?? nil })
    let start = ContinuousClock.now
    #expect(kill(process.processIdentifier, number) == 0)
    process.waitUntilExit()
    // A second, and what a busy machine adds.
    #expect(ContinuousClock.now - start < .seconds(10))
    // Either the interrupted write tells it, or the signal.
    #expect([130, 128 + number].contains(process.terminationStatus))
    #expect(Self.wait { Self.isGone(child) ? true : nil } == true)
    #expect(program.files == ["ogr2ogr", "ogrinfo", "started", "towns.geojson"])
  }

  /// Asks until there is an answer, a minute at most.
  private static func wait<Value>(_ ask: () -> Value?) -> Value? {
    for _ in 0..<6000 {
      if let value = ask() { return value }
      usleep(10_000)
    }
    return nil
  }

  /// Whether a process has ended, though its parent may not have asked yet.
  private static func isGone(_ process: Int32) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let name = text.lastIndex(of: ")")
    else { return true }
    return text[name...].dropFirst(2).first == "Z"
  }
}
