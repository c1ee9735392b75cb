import PortolanGraphics
import PortolanTerminals
import PortolanTexts

/// The findings of one file, to be told.
package struct CheckedFile: Sendable {
  /// The name of the file as it was given.
  package var name: String
  package var list: FindingList
  /// The repaired findings.
  package var repairs: [Finding]

  package init(name: String, list: FindingList, repairs: [Finding] = []) {
    (self.name, self.list, self.repairs) = (name, list, repairs)
  }
}

/// The findings of some files in one of the forms of `check --format`.
package struct CheckReport: Sendable {
  package enum Form: String, Sendable, CaseIterable {
    /// A line for people, with its hint below.
    case text
    case json
    /// The commands of a workflow of GitHub, which shows them beside the lines.
    case github
  }

  package var files: [CheckedFile]
  /// The least severity that is told.
  package var least: Severity

  package init(_ files: [CheckedFile], least: Severity) {
    (self.files, self.least) = (files, least)
  }

  /// How many findings of a severity there are, those beyond the limit too.
  package func count(_ severity: Severity) -> Int {
    files.reduce(0) { sum, file in
      sum + file.list.findings.count { $0.severity == severity }
        + file.list.dropped.reduce(0) { $0 + ($1.key.severity == severity ? $1.value : 0) }
    }
  }

  /// Whether there are warnings or errors that are told.
  package var hasFindings: Bool {
    count(.error) > 0 || least < .error && count(.warning) > 0
  }

  /// The findings that are told, with their files.
  private var told: [(file: CheckedFile, finding: Finding)] {
    files.flatMap { file in
      file.list.findings.filter { $0.severity >= least }.map { (file, $0) }
    }
  }

  // MARK: Text

  /// Lines for people.
  package var lines: [String] {
    var lines: [String] = []
    for file in files {
      for finding in file.repairs {
        lines.append(
          "\(Self.place(finding, in: file.name)): repaired \(finding.code.rawValue): "
            + finding.message)
      }
      for finding in file.list.findings where finding.severity >= least {
        lines.append(
          "\(Self.place(finding, in: file.name)): \(finding.severity.word) "
            + "\(finding.code.rawValue): \(finding.message)")
        lines.append("    \(Self.hint(finding))")
      }
      for (code, count) in file.list.dropped.sorted(by: { $0.key.rawValue < $1.key.rawValue })
      where code.severity >= least {
        lines.append(
          "\(file.name): \(code.severity.word) \(code.rawValue): \(count) more of these")
      }
    }
    return lines
  }

  private static func place(_ finding: Finding, in name: String) -> String {
    guard let place = finding.place else {
      return finding.path == "$" ? name : "\(name): \(finding.path)"
    }
    return "\(name):\(place.line):\(place.column)"
  }

  private static func hint(_ finding: Finding) -> String {
    let fix = finding.edits.isEmpty ? "" : " (--fix does)"
    let hint = finding.code.hint + fix
    return finding.place == nil ? hint : "\(finding.path): \(hint)"
  }

  /// The counts in one sentence; `nil` without anything to say.
  package var summary: String? {
    var parts: [String] = []
    for severity in Severity.allCases.reversed() where severity >= least {
      let count = count(severity)
      if count > 0 { parts.append("\(count) \(severity.word)\(count == 1 ? "" : "s")") }
    }
    let repaired = files.reduce(0) { $0 + $1.repairs.count }
    if repaired > 0 { parts.append("\(repaired) repaired") }
    guard !parts.isEmpty else { return nil }
    let fixable = told.count { !$0.finding.edits.isEmpty }
    let hurt = files.count { file in
      file.list.findings.contains { $0.severity >= least } || !file.repairs.isEmpty
    }
    let place = files.count > 1 ? " in \(hurt) of \(files.count) files" : ""
    let advice = fixable > 0 ? "; --fix repairs \(fixable)" : ""
    return parts.joined(separator: ", ") + place + advice
  }

  // MARK: For programs

  /// One object with the findings and their counts.
  package var json: String {
    var items: [String] = []
    for file in files {
      for finding in file.repairs {
        items.append(Self.object(finding, file.name, isRepaired: true))
      }
      for finding in file.list.findings where finding.severity >= least {
        items.append(Self.object(finding, file.name, isRepaired: false))
      }
    }
    var more = 0
    for file in files {
      for (code, count) in file.list.dropped where code.severity >= least { more += count }
    }
    let list = items.isEmpty ? "" : "\n  " + items.joined(separator: ",\n  ") + "\n"
    return """
      {"files":\(files.count),"features":\(files.reduce(0) { $0 + $1.list.featureCount }),\
      "errors":\(count(.error)),"warnings":\(count(.warning)),"notes":\(count(.note)),\
      "more":\(more),"findings":[\(list)]}

      """
  }

  private static func object(_ finding: Finding, _ name: String, isRepaired: Bool) -> String {
    var members = ["\"file\":\(SafeJSON.string(name))"]
    if let place = finding.place {
      members.append("\"line\":\(place.line),\"column\":\(place.column)")
    }
    members.append("\"code\":\"\(finding.code.rawValue)\"")
    members.append("\"severity\":\"\(finding.severity.word)\"")
    members.append("\"path\":\(SafeJSON.string(finding.path))")
    members.append("\"message\":\(SafeJSON.string(finding.message))")
    members.append("\"hint\":\(SafeJSON.string(finding.code.hint))")
    if let position = finding.position, position.x.isFinite, position.y.isFinite {
      members.append("\"position\":[\(position.x),\(position.y)]")
    }
    members.append("\"fixable\":\(!finding.edits.isEmpty),\"repaired\":\(isRepaired)")
    return "{" + members.joined(separator: ",") + "}"
  }

  /// Workflow commands, a line a finding.
  package var github: [String] {
    told.map { file, finding in
      let command =
        switch finding.severity {
        case .error: "error"
        case .warning: "warning"
        case .note: "notice"
        }
      var properties = ["file=\(Self.property(file.name))"]
      if let place = finding.place {
        properties.append("line=\(place.line)")
        properties.append("col=\(place.column)")
      }
      properties.append("title=\(finding.code.rawValue)")
      let text = Self.data("\(finding.message) (\(finding.path)): \(finding.code.hint)")
      return "::\(command) \(properties.joined(separator: ","))::\(text)"
    }
  }

  /// The message of a workflow command with its escapes.
  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
