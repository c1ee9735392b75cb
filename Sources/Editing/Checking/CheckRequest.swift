package import PortolanChecking
package import PortolanInterchange

/// Files to be checked, and perhaps repaired.
package struct CheckRequest: Sendable {
  /// The files; of staged ones the words that choose them, as git takes them.
  package var paths: [String]
  package var isStaged: Bool
  package var form: CheckReport.Form
  package var least: Severity
  package var choice: CodeChoice
  package var isFixing: Bool
  /// Where the repaired file goes; `nil` is its own place.
  package var output: String?
  package var overwrites: Bool
  package var expectations: [String]
  package var uniqueNames: [String]
  package var checksCoverage: Bool
  /// The width below which gaps and overlaps are closed; `nil` for the tolerance alone.
  package var gap: LengthArgument?
  package var baseline: String?
  package var writesBaseline: Bool
  package var reading: (any FormatOptions)?

  /// Whether the features must be read.
  var asksFeatures: Bool {
    !expectations.isEmpty || !uniqueNames.isEmpty || checksCoverage
  }
}

extension CheckRequest: Request {
  /// The findings, and remarks.
  package struct Answer: Sendable {
    var report: CheckReport
    var remarks: [String] = []
    /// The first file that could not be read or written.
    var failure: Failure?
  }

  package var name: String { "checking \(paths.first ?? "")" }
  package var isWriting: Bool { isFixing || writesBaseline }

  package func perform(
    in world: World, _ progress: World.Progress
  ) throws(Failure) -> Answer {
    try world.check(self, progress)
  }

  package func take(_ answer: Answer, in desk: inout Desk) throws {
    let report = answer.report
    switch form {
    case .text:
      // The repaired text has standard output for itself.
      if output == "-" {
        for line in report.lines { desk.send(.warn(line)) }
      } else if !report.lines.isEmpty {
        desk.send(.print(report.lines))
      }
    case .json:
      if output == "-" { desk.send(.warn(report.json)) } else { desk.send(.printData(report.json)) }
    case .github: if !report.github.isEmpty { desk.send(.print(report.github)) }
    }
    for remark in answer.remarks { desk.send(.warn(remark)) }
    if form == .text, let summary = report.summary { desk.send(.warn(summary)) }
    if let failure = answer.failure {
      desk.session.failure = failure
    } else if report.hasFindings {
      desk.session.failure = Failure(.findings, what: report.summary ?? "faults are found")
    }
  }
}
