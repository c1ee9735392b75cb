import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Wrong names of attributes: the likely ones are offered, never all.
@Suite struct AttributeNameTests {
  private static func editor(_ names: [String]) -> Editor {
    var document = Document()
    var towns = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns", style: .standard(forDimension: 0, index: 0))
    _ = towns.add(
      geometry: .point(Coordinate(x: 1, y: 2)), attributes: names.map { ($0, .number("1")) })
    document.layers = [towns]
    return Editor(document)
  }

  private static func error(_ line: String, _ editor: Editor) -> String {
    var editor = editor
    let error = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(!editor.desk.isEdited)
    return error?.message ?? ""
  }

  @Test(arguments: [
    "style --by pop_est", "style --size-by pop_est", "style --rank pop_est",
    "style --label pop_est", "label --field pop_est", "label --field NAME --rank pop_est",
  ])
  func `The name that was meant is offered`(line: String) {
    let names = ["NAME", "POP_MAX", "POP_EST"] + (0..<90).map { "other\($0)" }
    #expect(
      Self.error(line, Self.editor(names)) == "no attribute “pop_est”: did you mean “POP_EST”?")
  }

  @Test func `Of many names a few are told, and the number of the others`() {
    let names = (0..<95).map { "field\($0)" }
    #expect(
      Self.error("style --by zzz", Self.editor(names))
        == "no attribute “zzz”: “towns” has field0, field1, field2, field3, field4, field5, "
        + "field6, field7 … and 87 more")
    #expect(
      Self.error("style --by zzz", Self.editor(["a", "b"]))
        == "no attribute “zzz”: “towns” has a, b")
  }

  @Test func `Attributes of selected features are offered as well`() throws {
    var editor = Self.editor(["POP_EST"])
    try editor.run("select all")
    for line in ["unset pop_est", "rename-attribute Pop_Est people"] {
      #expect(Self.error(line, editor).hasSuffix("did you mean “POP_EST”?"))
    }
  }

  @Test(arguments: 0..<40)
  func `A name with one other letter is found, whatever its capitals`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ_")
    func word(_ count: Int) -> [Character] {
      (0..<count).compactMap { _ in letters.randomElement(using: &random) }
    }
    let known = word(Int.random(in: 3...10, using: &random))
    var typed = known
    switch Int.random(in: 0...3, using: &random) {
    case 0: typed.remove(at: Int.random(in: 0..<typed.count, using: &random))
    case 1: typed[Int.random(in: 0..<typed.count, using: &random)] = "x"
    case 2: typed.insert("x", at: Int.random(in: 0...typed.count, using: &random))
    default: break
    }
    let found = Spelling.nearest(to: String(typed).lowercased(), among: [String(known)])
    #expect(found == [String(known)] || typed.count < 3 && found.isEmpty)
  }

  @Test func `The same name in other capitals comes first`() {
    #expect(
      Spelling.nearest(to: "pop", among: ["POP_MAX", "POP_EST", "POP", "PIP"])
        == ["POP", "POP_MAX", "POP_EST"])
  }
}
