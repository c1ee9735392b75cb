import Testing

@testable import PortolanFiles

@Suite struct ScratchFolderTests {
  @Test func `A link leads to a folder under a plain name`() throws {
    let (folder, place) = (try ScratchFolder(), try ScratchFolder())
    try place.write([1, 2, 3], to: "a, b")
    let name = try folder.link(to: place.path)
    #expect(try folder.link(to: place.path) == name && !name.contains(","))
    #expect(try folder.read(name + "/a, b") == [1, 2, 3])
  }

  @Test func `The room on its disk is a number of bytes`() throws {
    let folder = try ScratchFolder()
    #expect(folder.freeCount > 0 && folder.freeCount < .max)
    #expect(FileError.full("/m").description.contains("/m"))
  }
}
