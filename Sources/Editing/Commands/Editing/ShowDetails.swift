package import ArgumentParser

/// Shows all of one feature.
package struct ShowDetails: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "details", abstract: "Show the selected feature with all its values, whole.",
    discussion: """
      Values that the panel and the form cut are broken into lines here, to scroll and to search. \
      A script prints them.
      """)

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.openDetails() }
}
