import Files
import Foundation
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
