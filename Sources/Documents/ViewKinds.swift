import Archiving

/// The kinds of views that documents can hold.
package enum ViewKinds {
  /// To add a kind: its line here. Views of other kinds are kept unchanged.
  package static let all: [any View.Type] = [
    MapView.self, LegendView.self, OverviewView.self, TableView.self,
  ]

  /// The classes allowed for a view in an archive.
  static var classes: ClassList<any View> { known.get() }

  private static let known = TaskLocal(wrappedValue: list(of: all))

  /// Reads an archive with other kinds than those of the list.
  static func with<Result>(
    _ kinds: [any View.Type], _ read: () throws -> Result
  ) rethrows -> Result {
    try known.withValue(list(of: kinds), operation: read)
  }

  private static func list(of kinds: [any View.Type]) -> ClassList<any View> {
    ClassList(kinds.map { $0 }, unknown: { UnknownView(kept: $0) })
  }

  /// A new overview.
  package static func overview(_ id: ViewID) -> any OverviewShowing {
    OverviewView(id: id, name: "Overview")
  }

  /// A new table.
  package static func table(_ id: ViewID) -> any TableShowing { TableView(id: id, name: "Table") }

  /// The views of a new document: a map with its legend, numbered from 1.
  package static func standard(mapName: String) -> [any View] {
    let legend = LegendView(id: ViewID(2), name: "Legend")
    return [MapView(id: ViewID(1), name: "Map", mapName: mapName, legend: legend)]
  }
}
