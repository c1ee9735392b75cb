import PortolanChecking
import PortolanDocuments
import PortolanGraphics

/// Walking the findings of `check`.
extension Desk {
  /// The panel of findings, while it is open.
  var findings: FindingsPanel? {
    get { work.overlay[FindingsPanel.self] }
    set { work.overlay[FindingsPanel.self] = newValue }
  }

  /// The findings of the document as it is now: after an edit it is checked again, unless that
  /// takes long.
  ///
  /// - Throws: if nothing was checked, or nothing is left.
  private mutating func presentFindings() throws -> FoundFaults {
    guard var found = work.findings else {
      throw EditingError(.refused, "nothing was checked: :check first")
    }
    if found.request.revision != history.present.revision,
      document.layers.reduce(0, { $0 + $1.vertexCount }) < EditRequest.least
    {
      found.request.document = document
      found.request.revision = history.present.revision
      found.list = try found.request.findings { _ in }
      // The one that was repaired is gone: the next one has its place.
      if let index = found.index { found.index = index - 1 }
      work.findings = found
    }
    if found.list.findings.isEmpty { throw EditingError(.notFound, "no faults found") }
    return found
  }

  /// Goes to the next finding, or to the previous one for negative steps.
  mutating func stepFinding(by steps: Int) throws {
    let found = try presentFindings()
    let count = found.list.findings.count
    let start = found.index ?? (steps < 0 ? 0 : -1)
    try goToFinding(((start + steps) % count + count) % count)
  }

  /// Goes to a finding by its number: chooses its feature and shows its place.
  mutating func goToFinding(_ index: Int) throws {
    guard var found = work.findings, found.list.findings.indices.contains(index) else {
      throw EditingError(.notFound, "there is no such finding")
    }
    found.index = index
    work.findings = found
    let finding = found.list.findings[index]
    let words =
      "\(index + 1) of \(found.list.findings.count): \(finding.code.rawValue) \(finding.message)"
    if let feature = finding.feature {
      guard document.contains(feature) else {
        throw EditingError(.notFound, "\(words): its feature is gone since then; :check again")
      }
      if shownDocument.contains(feature) {
        arrive(at: feature, "", isStaying: true)
      }
    }
    if let position = finding.position, position.x.isFinite, position.y.isFinite {
      visit(position)
    }
    say(words)
  }
}

extension Layer {
  /// How many vertices its features have.
  fileprivate var vertexCount: Int {
    (self as? any FeatureHolding)?.blocks.reduce(0) { $0 + $1.geometry.vertexCount } ?? 0
  }
}
