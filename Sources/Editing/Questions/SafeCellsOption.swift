import ArgumentParser
import PortolanInterchange

/// The option of tables that a spreadsheet may open.
struct SafeCellsOption: ParsableArguments, Sendable {
  @Flag(
    help: """
      In csv and tsv: write an apostrophe before texts that a spreadsheet would run as formulas.
      """)
  var safeCells = false

  init() {}

  /// Prints a table for programs, and tells of texts that a spreadsheet would run.
  func print(_ table: LayerTable, as form: TableForm, in desk: inout Desk) {
    desk.send(.printData(table.text(form, hasSafeCells: safeCells)))
    guard form.isForSpreadsheets, case let formulas = table.formulas, formulas > 0 else { return }
    desk.send(.warn(Formula.note(formulas, areSafe: safeCells)))
  }
}
