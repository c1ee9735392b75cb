import PortolanTestSupport
import Testing

@testable import ArchiveInspection

/// Mangled names of classes, as compilers make them.
@Suite struct SwiftNameTests {
  @Test(arguments: [
    ("_TtC5MyApp4Note", "MyApp.Note"), ("_TtCC5MyApp4Note5Inner", "MyApp.Note.Inner"),
    ("_TtVOC5MyApp4Note1S1E", "MyApp.Note.S.E"),
    ("_TtC5MyAppP33_12A71B4DC090B9374F6060A8967C3CB66Hidden", "MyApp.Hidden"),
    ("_TtCC5MyAppP33_12A71B4DC090B9374F6060A8967C3CB66Hidden3Sub", "MyApp.Hidden.Sub"),
    ("_TtCs12_SwiftObject", "Swift._SwiftObject"), ("_TtP5MyApp8Drawable_", "MyApp.Drawable"),
    ("_TtGC5MyApp3BoxSi_", "MyApp.Box<…>"), ("_TtCSo7NSArray", "__C.NSArray"),
    ("$s5MyApp4NoteC", "MyApp.Note"), ("_$s5MyApp4NoteCN", "MyApp.Note"),
    ("$S5MyApp4NoteCD", "MyApp.Note"), ("$s9MyNoteApp0B0C5InnerC", "MyNoteApp.Note.Inner"),
    ("$s9MyNoteApp0B0C1SV1EO", "MyNoteApp.Note.S.E"),
    ("$s9MyNoteApp0B4BookC", "MyNoteApp.NoteBook"),
    ("$s9MyNoteApp6Hidden33_12A71B4DC090B9374F6060A8967C3CB6LLC3SubC", "MyNoteApp.Hidden.Sub"),
    ("$s9MyNoteApp3BoxCySiG", "MyNoteApp.Box<…>"), ("$s5MyAppAAC", "MyApp.MyApp"),
    ("$s5MyApp0aB4ViewC", "MyApp.MyAppView"), ("$sSo7NSArrayC", "__C.NSArray"),
    ("$ss12_SwiftObjectC", "Swift._SwiftObject"), ("$s5MyApp009Gre_GkaIiC", "MyApp.Größe"),
    ("_TtC5MyAppX9Gre_GkaIi", "MyApp.Größe"),
    ("_TtCF5MyApp4mainFT_T_L_5Local", "MyApp.main().Local"),
    ("_TtCFC5MyApp4Note4saveFT_T_L_5Local", "MyApp.Note.save().Local"),
    ("_TtCCFC5MyApp4Note4saveFT2toSS_SbL0_5Local5Inner", "MyApp.Note.save().Local.Inner"),
    ("_TtCZFC5MyApp4Note4loadFT_S0_L_5Local", "MyApp.Note.load().Local"),
    ("_TtVFC5MyApp4NotecFT4nameSS_S0_L1_5Local", "MyApp.Note.init().Local"),
    ("_TtCFC5MyApp4Noteg5titleSSL_5Local", "MyApp.Note.title.Local"),
    ("_TtCFF5MyApp3runFT_T_U_FT_T_L_5Local", "MyApp.run().Local"),
    ("_TtCE5MyAppC10Foundation4Data5Inner", "Foundation.Data.Inner"),
    ("$s5MyApp4mainyyF5LocalL_C", "MyApp.main().Local"),
    ("$s5MyApp4NoteC4save2toySS_tF5LocalL0_V", "MyApp.Note.save().Local"),
  ])
  func `Names of types are those of programs`(_ name: String, _ wanted: String) {
    #expect(SwiftName.demangled(name) == wanted)
  }

  @Test(arguments: [
    "", "Note", "NSObject", "_Tt", "_TtC", "_TtC5MyApp", "_TtC5MyApp4Not", "_TtC5MyApp4NoteX",
    "_TtC05MyApp4Note", "_TtC99999999999999999999MyApp4Note", "$s", "$s5MyApp", "$s5MyApp4Note",
    "$s5MyApp4NoteCC", "$sC", "$sAA", "$s5MyApp0bC", "$s5MyApp00bC", "$s4NoteC", "$s5MyApp4NoteLLC",
    "$s5MyApp3fooyyF", "_TtCF5MyApp4mainFT_T_5Local",
    "_TtCF5MyApp4mainFT_T_L5Local", "_TtF5MyApp4mainFT_T_", "$s5MyApp4mainyyF5LocalC",
    "_TtCF5MyApp", "_TtCE", "_TtCF4mainL_5Local",
    "$s5MyApp4NoteC3bar", "$s\u{0}", "_TtC5MyApp4N\u{E9}te",
  ])
  func `Other texts are left as they are`(_ name: String) {
    #expect(SwiftName.demangled(name) == nil)
  }

  @Test(arguments: 0..<200)
  func `No text is too odd`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("sSAaCVOPLGyD_0123456789MyAppNoteBookTt$bZ\u{0}é".unicodeScalars)
    for start in ["_Tt", "$s", "_$S", "$s5MyApp"] {
      var text = start
      for _ in 0..<Int.random(in: 0...60, using: &generator) {
        text.unicodeScalars.append(alphabet[Int.random(in: alphabet.indices, using: &generator)])
      }
      let name = SwiftName.demangled(text)
      #expect((name?.utf8.count ?? 1) <= 40 * text.utf8.count && name != "")
    }
  }

  @Test func `Archives show the name and keep that of the symbol in JSON`() throws {
    let bytes = ValueSamples.keyed([
      ValueSamples.object("<key>title</key><string>x</string>", class: 2),
      ValueSamples.objectClass("_TtC5MyApp4Note"),
    ])
    #expect(try InspectedArchive(bytes).tree().contains("root: MyApp.Note #1"))
    let head = "{\"root\":{\"$class\":\"MyApp.Note\",\"$mangled\":\"_TtC5MyApp4Note\","
    #expect(try ValueSamples.roots(bytes) == head + "\"title\":\"x\"}}")
    let collected = CollectedOutput()
    try Inspector(InspectedArchive(bytes)).write(
      .json, at: InspectionPath(""), TreeOptions(), to: collected.output)
    #expect(collected.text.contains("\"class\":\"_TtC5MyApp4Note\""))
    #expect(collected.text.contains("\"swift\":\"MyApp.Note\""), "\(collected.text)")
  }
}
