import PortolanChecking
import PortolanDocuments

/// The document of a desk to be checked.
struct CheckDocumentRequest: Sendable {
  /// The snapshot, and its revision.
  var document: Document
  var revision: Int
  var title: String
  var choice: CodeChoice
  var least: Severity
  var checksWinding: Bool
  var expectations: [String] = []
  var uniqueNames: [String] = []
  var checksCoverage = false

  /// The findings, worst first in each layer.
  func findings(_ progress: (Double) throws -> Void) throws -> FindingList {
    var options = DocumentCheck.Options()
    options.choice = choice
    options.checksWinding = checksWinding
    var list = try DocumentCheck.check(document, options, progress: progress)
    list.findings += try FeatureQuestions(
      expectations: expectations, uniqueNames: uniqueNames, checksCoverage: checksCoverage,
      choice: choice
    ).findings(in: document, progress: progress)
    list.findings.removeAll { $0.severity < least }
    return list
  }
}

extension CheckDocumentRequest: Request {
  var name: String { "checking \(title)" }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> FindingList {
    do {
      return try findings { try progress.report($0) }
    } catch {
      throw Failure(error)
    }
  }

  func take(_ answer: FindingList, in desk: inout Desk) throws {
    let file = CheckedFile(name: title, list: answer)
    let report = CheckReport([file], least: least)
    if desk.isHeadless {
      if !report.lines.isEmpty { desk.send(.print(report.lines)) }
      if let summary = report.summary { desk.send(.warn(summary)) }
      if report.hasFindings {
        desk.session.failure = Failure(.findings, what: report.summary ?? "faults are found")
      }
      return
    }
    desk.work.findings = FoundFaults(list: answer, request: self)
    guard !answer.findings.isEmpty else {
      desk.say("no faults found")
      return
    }
    desk.leaveModes()
    desk.findings = FindingsPanel(summary: report.summary ?? "")
  }
}

/// The findings of the last `check`, to be walked.
struct FoundFaults: Sendable {
  var list: FindingList
  /// The request that found them.
  var request: CheckDocumentRequest
  /// The one that was gone to; `nil` before the first.
  var index: Int?
}
