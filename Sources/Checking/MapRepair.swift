/// A repaired text.
package struct RepairedText: Sendable {
  package var bytes: [UInt8]
  /// The findings that were repaired, with their places in the text of their round: the first one
  /// is the file as it was.
  package var repairs: [Finding]
  /// The remaining findings.
  package var rest: CheckedText
}

/// Repairs unmistakable faults.
///
/// A repair replaces bytes at the place of the fault; all others stay. One repair may let another
/// fault be seen, so the text is checked again until nothing is left to repair.
package enum MapRepair {
  /// The most rounds; a text needs about three.
  private static let roundsMax = 16

  /// - Parameter progress: called with the part that is done, 0 to 1; it stops by throwing.
  package static func repair(
    _ text: MapText, _ options: CheckOptions, progress: (Double) throws -> Void = { _ in }
  ) throws -> RepairedText {
    var options = options
    options.keepsAll = true
    var text = text
    var repairs: [Finding] = []
    var checked = try text.check(options, progress: progress)
    if text.encoding != nil, options.choice.contains(.wideEncoding) {
      repairs += checked.list.findings.filter { $0.code == .wideEncoding }
      checked.list.findings.removeAll { $0.code == .wideEncoding }
      text.encoding = nil
    }
    for _ in 0..<roundsMax {
      let (bytes, done) = apply(checked.list.findings, to: text.bytes)
      if done.isEmpty { break }
      repairs += done
      text.bytes = bytes
      checked = try text.check(options, progress: progress)
    }
    return RepairedText(bytes: text.bytes, repairs: repairs, rest: checked)
  }

  /// Applies the edits that do not overlap; the others wait for the next round.
  static func apply(
    _ findings: [Finding], to bytes: [UInt8]
  ) -> (bytes: [UInt8], done: [Finding]) {
    var edits: [(edit: TextEdit, finding: Int)] = []
    for (index, finding) in findings.enumerated() {
      for edit in finding.edits { edits.append((edit, index)) }
    }
    edits.sort {
      ($0.edit.range.lowerBound, $0.edit.range.upperBound, $0.finding)
        < ($1.edit.range.lowerBound, $1.edit.range.upperBound, $1.finding)
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    var at = 0
    var isFirst = true
    var done: [Int] = []
    for (edit, finding) in edits {
      let range = edit.range.clamped(to: 0..<bytes.count)
      // Two edits at one place could be of one comma: one a round.
      guard isFirst || range.lowerBound > at else { continue }
      result += bytes[at..<range.lowerBound]
      result += edit.bytes
      at = range.upperBound
      isFirst = false
      done.append(finding)
    }
    result += bytes[at...]
    return (result, done.sorted().map { findings[$0] })
  }
}
