/// What explains the marks of a map: its title and whether and where it shows.
package struct LegendView: View, Hashable {
  package let id: ViewID
  package var name: String
  package var isShown: Bool

  package init(id: ViewID, name: String, isShown: Bool = true) {
    self.id = id
    self.name = name
    self.isShown = isShown
  }
}
