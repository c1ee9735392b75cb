import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Columns: the attributes of all features of a layer.
@Suite struct ColumnTests {
  /// A value of any kind.
  private static func value(_ random: inout SeededGenerator) -> AttributeValue {
    let texts = [
      "1", "-7", "0", "2.50", "1e3", "889953.0", "1.5e-3", "-0",
      "12345678901234567890123456789", "1e400",
    ]
    let words =
      texts + [
        "", " 7 ", "007", "+5", "true", "no", "abc", "2024-05-01", "2024/05/01", "20240501",
        "2024-05-01T08:00:00+02:00", "2024-13-01", "1,5",
      ]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .missing
    case 1: return .null
    case 2: return .bool(Bool.random(using: &random))
    case 3: return .number(texts.randomElement(using: &random) ?? "1")
    case 4: return .json(#"[1, "a"]"#)
    default: return .string(words.randomElement(using: &random) ?? "")
    }
  }

  /// A layer of some blocks with random attributes in random orders.
  private static func editor(_ random: inout SeededGenerator) -> Editor {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "points",
      style: .standard(forDimension: 0, index: 0, labelField: "a"))
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      var attributes: [(name: String, value: AttributeValue)] = []
      for name in ["a", "b", "c", "d"].shuffled(using: &random) {
        attributes.append((name, value(&random)))
      }
      _ = layer.add(
        geometry: .point(Coordinate(x: 1, y: 2)),
        attributes: attributes.filter { $0.value != .missing })
    }
    document.layers = [layer]
    return Editor(document)
  }

  private static func rows(_ editor: Editor) -> [[String]] {
    // The order of the columns is that of the table, whatever the features' own.
    [editor.layer("points")?.fieldNames ?? []]
      + editor.features("points").map { $0.attributes.map { "\($0.name)=\($0.value)" } }
  }

  @Test(arguments: 0..<60)
  func `Every column command is one step that undo takes back and redo repeats`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var editor = Self.editor(&random)
    let lines = [
      "column add e", "column add e := coalesce(a, 'x')", "column add e --type text := $id",
      "column set a := 1", "column rename a z", "column remove b", "column remove a c",
      "column retype a whole", "column retype b real --force", "column retype c text",
      "column retype d truth --force", "column retype a date", "column move a last",
      "column move d first", "column move b right", "column move c left",
      "column move a --after c", "column move d --before b",
    ]
    for _ in 0..<12 {
      let former = Self.rows(editor)
      let steps = editor.desk.history.past.count
      let line = lines.randomElement(using: &random) ?? ""
      do { try editor.run(line) } catch is EditingError {
        #expect(Self.rows(editor) == former, "\(line)")
        continue
      }
      let new = Self.rows(editor)
      #expect(editor.desk.history.past.count == steps + (new == former ? 0 : 1), "\(line)")
      if new == former { continue }
      try editor.run("undo")
      #expect(Self.rows(editor) == former, "\(line)")
      try editor.run("redo")
      #expect(Self.rows(editor) == new, "\(line)")
    }
  }

  @Test(arguments: 0..<40)
  func `Retyping loses nothing silently`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for type in ColumnType.allCases {
      for _ in 0..<200 {
        let value = Self.value(&random)
        var exact = Retyping(to: type, isForced: false)
        let converted = exact.value(of: value)
        // What stayed is told, and only that; what was converted is of the type for good.
        let isOfType = type.value(of: converted) == converted
        #expect(isOfType == (exact.kept.count == 0), "\(value) \(type)")
        #expect((exact.warning == nil) == isOfType, "\(value) \(type)")
        if !isOfType { #expect(converted == value) }
        var forced = Retyping(to: type, isForced: true)
        let nearest = forced.value(of: value)
        #expect(type.value(of: nearest) == nearest, "\(value) \(type)")
        if isOfType { #expect(nearest == converted && forced.warning == nil) }
        if !isOfType { #expect(forced.warning != nil, "\(value) \(type)") }
      }
    }
  }

  @Test(arguments: [
    (ColumnType.whole, AttributeValue.number("889953.0"), AttributeValue.number("889953")),
    (.whole, .number("1e3"), .number("1000")), (.whole, .number("120e-1"), .number("12")),
    (.whole, .number("-0.0"), .number("-0")), (.whole, .string("12"), .number("12")),
    (.whole, .bool(true), .number("1")),
    (
      .whole, .string("12345678901234567890123456789012345678"),
      .number("12345678901234567890123456789012345678")
    ),
    (.real, .number("5"), .number("5.0")), (.real, .string("1.50"), .number("1.50")),
    (.real, .number("1e400"), .number("1e400")), (.text, .number("1.50"), .string("1.50")),
    (.text, .json("[1]"), .string("[1]")), (.truth, .number("1.0"), .bool(true)),
    (.truth, .string("false"), .bool(false)), (.date, .string("2024/05/01"), .string("2024-05-01")),
    (.date, .number("20240501"), .string("2024-05-01")),
    (.date, .string("2024-05-01T08:00:00+02:00"), .string("2024-05-01T08:00:00+02:00")),
  ])
  func `What converts exactly`(type: ColumnType, value: AttributeValue, result: AttributeValue) {
    #expect(type.value(of: value) == result)
  }

  @Test(arguments: [
    (ColumnType.whole, AttributeValue.number("1.5")), (.whole, .string("007")),
    (.whole, .string("")), (.whole, .string("+5")), (.whole, .number("1e999999999999")),
    (.whole, .number("1e-400")), (.whole, .json("[1]")), (.real, .string(" 7 ")),
    (.truth, .string("yes")), (.truth, .number("2")), (.date, .string("01.05.2024")),
    (.date, .string("2024-02-30")), (.date, .number("2024")),
  ])
  func `What does not`(type: ColumnType, value: AttributeValue) {
    #expect(type.value(of: value) == nil)
  }

  @Test(arguments: [
    (ColumnType.whole, AttributeValue.number("1.6"), AttributeValue.number("2")),
    (.whole, .string("007"), .number("7")), (.whole, .string("abc"), .null),
    (.real, .string(" 7 "), .number("7.0")), (.truth, .string("Yes"), .bool(true)),
    (.truth, .number("2"), .bool(true)), (.date, .string("01.05.2024"), .null),
    (.whole, .number("1e401"), .null),
  ])
  func `The nearest by force`(type: ColumnType, value: AttributeValue, result: AttributeValue) {
    var retyping = Retyping(to: type, isForced: true)
    #expect(retyping.value(of: value) == result)
    #expect(retyping.warning != nil)
  }

  @Test func `What stays as it is is told with examples, in scripts too`() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("column add code := if(name == 'Beta', 'x', '12')")
    try editor.run("column retype code whole")
    #expect(editor.message.contains("code: 3 became whole numbers"))
    #expect(editor.message.contains("1 value (“x”) stayed: not exactly whole numbers"))
    #expect(editor.attribute("code", of: "Beta") == .string("x"))
    #expect(editor.attribute("code", of: "Alpha") == .number("12"))
    try editor.run("column retype code whole --force")
    #expect(editor.attribute("code", of: "Beta") == .null)
    let steps = editor.desk.history.past.count
    try editor.run("column retype code whole")
    #expect(editor.message == "code: nothing to convert")
    #expect(editor.desk.history.past.count == steps)
  }

  @Test func `A column moves among the others, for features with an order of their own too`() throws
  {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.run("unset pop")
    try editor.run("set pop=1")
    try editor.run("layer towns")
    func names(_ index: Int) -> [String] {
      editor.features("towns")[index].attributes.map(\.name)
    }
    #expect(names(1) == ["name", "capital", "pop"])
    try editor.run("column move capital first")
    #expect(names(0) == ["capital", "name", "pop"] && names(1) == ["capital", "name", "pop"])
    try editor.run("column move capital right")
    #expect(names(0) == ["name", "capital", "pop"])
    try editor.run("column move name --after pop")
    #expect(names(0) == ["capital", "pop", "name"] && names(1) == ["capital", "pop", "name"])
    try editor.run("undo 3")
    #expect(names(0) == ["name", "pop", "capital"] && names(1) == ["name", "capital", "pop"])
  }

  @Test func `Labels follow a renamed column, and a removed one is told`() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("style towns --by capital")
    try editor.run("column rename name title")
    try editor.run("column rename capital seat")
    #expect(editor.layer("towns")?.style.labelField == "title")
    #expect(editor.layer("towns")?.style.classes?.field == "seat")
    #expect(editor.layer("fields")?.style.labelField == "name")
    try editor.run("column remove title")
    #expect(editor.message.contains("labels were made of it"))
    try editor.run("undo 3")
    #expect(editor.layer("towns")?.style.labelField == "name")
  }

  @Test(arguments: [
    ("column add name", "already"), ("column add pop := 1", "already"),
    ("column add x --type whole", "nulls have no type"), ("column set x := 1", "no attribute"),
    ("column rename nme title", "did you mean “name”?"), ("column rename name pop", "already"),
    ("column remove pop zzz", "no attribute “zzz”"), ("column retype pop number", "write column"),
    ("column move pop --before pop", "beside itself"), ("column move pop up", "write column move"),
    ("column retype pop whole --layer nowhere", "nowhere"), ("column add a b", "write column add"),
  ])
  func `A wrong line changes nothing and says what to write`(line: String, advice: String) throws {
    var editor = Editor()
    try editor.run("layer towns")
    let error = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
    #expect(!editor.desk.isEdited)
  }

  @Test func `Locked layers and the texts of notes are left alone`() throws {
    var editor = Editor()
    try editor.run("lock towns")
    #expect(throws: EditingError.self) { try editor.run("column remove pop --layer towns") }
    try editor.run("annotate hello")
    #expect(throws: EditingError.self) { try editor.run("column remove text --layer notes") }
    #expect(editor.features("towns")[0].attributes.count == 3)
  }

  @Test(arguments: [
    "column add n", "column add n := $x", "column rename v w", "column remove v",
    "column retype v text", "column move v last", "unset v", "rename-attribute v w",
  ])
  func `On very many features it is a job, and counts nothing before`(line: String) throws {
    var desk = Desk(document: Self.many)
    try desk.run(line: "select all")
    try desk.run(line: line)
    var asked: (EditRequest, JobID)?
    for case .perform(let request as EditRequest, let job?) in desk.takeEffects() {
      asked = (request, job)
    }
    let (request, job) = try #require(asked)
    #expect(!desk.isEdited)
    _ = desk.handle(.replied(job, request.reply(in: World(files: MemoryFileSystem()))))
    #expect(desk.isEdited, "\(desk.message?.text ?? "")")
    try desk.run(line: "undo")
    #expect(!desk.isEdited)
  }

  @Test func `A name that no feature has is told by the job as well`() throws {
    var desk = Desk(document: Self.many)
    try desk.run(line: "select all")
    for line in ["unset w", "rename-attribute w x"] {
      try desk.run(line: line)
      for case .perform(let request as EditRequest, let job?) in desk.takeEffects() {
        _ = desk.handle(.replied(job, request.reply(in: World(files: MemoryFileSystem()))))
      }
      #expect(desk.message?.text.contains("no selected feature has an attribute “w”") == true)
      #expect(!desk.isEdited && !desk.isEditPending)
    }
  }

  private static let many: Document = {
    var builder = FeatureBlockBuilder()
    for index in 0..<100_001 {
      builder.geometry.appendPaths(of: .point(Coordinate(x: Double(index % 100), y: 0)))
      builder.endRow(.point, shape: .plain)
    }
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "points",
      style: .standard(forDimension: 0, index: 0), blocks: builder.finish(),
      nextFeatureID: builder.nextFeatureID)
    let ids = Set((1...100_001).map { FeatureID(UInt64($0)) })
    try? layer.setAttribute("v", to: .number("1"), of: ids)
    try? layer.setAttribute("u", to: .string("x"), of: [FeatureID(7)])
    document.layers = [layer]
    return document
  }()
}
