package import ArgumentParser
import PortolanDocuments
import PortolanGraphics

/// Repairs invalid shapes.
package struct MakeValid: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "make-valid", abstract: "Repair shapes that cross or touch themselves.",
    discussion: """
      Polygons that are invalid by the rules of OGC's simple features are made valid, and all \
      their vertices stay; features that are valid keep their bytes. A message counts the repaired \
      features. As a verb: portolan make-valid in.geojson -o out.geojson. To see the faults first: \
      check. See Docs/geometry.md.
      """)

  @Argument(help: "As a verb the files, as one map.", completion: .file())
  package var words: [String] = []

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws { try checkWords("FILE -o FILE") }

  package func run(in desk: inout Desk) throws {
    try checkPlace(in: desk)
    let operation = LayerOperation("make-valid", done: "checked", keepsStyle: true) { work in
      { block, row in
        let flat = FlatGeometry(block.geometry, row: row)
        guard flat.dimension == 2 else { return .same }
        let former = work.notes.repaired
        let sound = try work.repaired(flat)
        if work.notes.repaired == former { return .same }
        return sound.isEmpty ? .nothing : .shape(sound)
      }
    }
    try desk.operate(operation, on: try chosen(in: &desk), into: place)
  }
}
