import Foundation
import PortolanFiles
import Testing

@Suite("The state folder")
struct StateFolderTests {
  @Test("is where the environment says, never at a relative path")
  func places() {
    #expect(StateFolder { ["XDG_STATE_HOME": "/s"][$0] }?.path == "/s/portolan")
    #expect(StateFolder { ["HOME": "/h"][$0] }?.path == "/h/.local/state/portolan")
    #expect(
      StateFolder { ["HOME": "/h", "XDG_STATE_HOME": "s"][$0] }?.path == "/h/.local/state/portolan")
    #expect(StateFolder { _ in nil } == nil)
  }

  @Test("is made for its owner alone, also where it stood open before")
  func modes() throws {
    let scratch = try Scratch()
    let state = StateFolder(path: scratch.path + "/state/portolan")
    for _ in 0..<2 {
      let versions = try state.make(.versions, in: scratch.fileSystem)
      for path in [state.path, versions] {
        #expect(try scratch.fileSystem.status(path, in: nil).mode == 0o700)
        #expect(chmod(path, 0o755) == 0)
      }
    }
    if geteuid() == 0 {
      #expect(chown(state.path, 1234, 1234) == 0)
      #expect(throws: FileError.self) { _ = try state.make(.locks, in: scratch.fileSystem) }
    }
  }

  @Test("leaves the folder that a link leads to as open as it is")
  func links() throws {
    let scratch = try Scratch()
    let state = StateFolder(path: scratch.path + "/state")
    for path in ["/shared", "/locks"] {
      try scratch.fileSystem.makeDirectory(scratch.path + path, mode: 0o755)
      #expect(chmod(scratch.path + path, 0o755) == 0)
    }
    #expect(symlink("shared", state.path) == 0)
    #expect(symlink("../locks", state.path(of: .locks)) == 0)
    for part in [StateFolder.Part.locks, .recovery] {
      _ = try state.make(part, in: scratch.fileSystem)
    }
    func mode(_ path: String) throws -> UInt32 {
      try scratch.fileSystem.status(scratch.path + path, in: nil).mode
    }
    #expect(try mode("/shared") == 0o755 && mode("/locks") == 0o755)
    #expect(try mode("/shared/recovery") == 0o700)
  }

  @Test("names documents by their whole path, readably and without slashes")
  func names() {
    let name = StateFolder.name(for: "/maps/Süd europe.doc")
    #expect(name.hasPrefix("S-d-europe-doc-"))
    #expect(!name.contains("/"))
    #expect(name == StateFolder.name(for: "/maps/Süd europe.doc"))
    #expect(name != StateFolder.name(for: "/other/Süd europe.doc"))
    #expect(StateFolder.name(for: "/" + String(repeating: "x", count: 255)).utf8.count < 80)
  }
}
