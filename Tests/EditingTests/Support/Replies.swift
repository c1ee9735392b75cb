import PortolanDocuments
import Testing

@testable import PortolanEditing

/// Replies as a world gives them, made up by tests.
extension Event {
  static func saved(
    _ job: JobID, path: String, revision: Int, notice: String? = nil, isConfirmed: Bool = true
  ) -> Event {
    let request = SaveRequest(
      path: path, document: Document(), revision: revision, overwrites: true)
    return .replied(job, request.replied(.done(notice: notice, isConfirmed: isConfirmed)))
  }

  /// A save that failed.
  static func failed(_ job: JobID, message: String) -> Event {
    let request = SaveRequest(path: "", document: Document(), revision: 0, overwrites: true)
    return .replied(job, request.failed(Failure(.output, what: message)))
  }

  static func opened(_ job: JobID, _ file: OpenedFile, givingUp: GivenUp? = nil) -> Event {
    let request = OpenRequest(paths: [file.path], givesUp: givingUp)
    return .replied(
      job, request.replied(OpenRequest.Answer(file: file, data: [], failures: [])))
  }

  static func imported(_ job: JobID, _ data: ImportedData) -> Event {
    .replied(job, ImportRequest(path: data.path, layerName: nil).replied(data))
  }

  static func script(_ job: JobID, name: String, text: String) -> Event {
    .replied(job, ScriptRequest(path: name).replied(text))
  }
}

extension Effect {
  /// The save that is asked for.
  var save: (job: JobID, request: SaveRequest)? {
    guard case .perform(let request as SaveRequest, let job?) = self else { return nil }
    return (job, request)
  }
}

extension Desk {
  /// A job that the test itself replies to.
  mutating func startJob(_ name: String) -> JobID {
    request(ScriptRequest(path: name))
    guard case .perform(_, let job?)? = effects.popLast() else { return JobID(0) }
    return job
  }
}

extension World {
  /// Does what an effect asks for.
  func perform(_ effect: Effect) throws(Failure) -> Event? {
    switch effect {
    case .perform(let request, let job):
      let reply = request.reply(in: self)
      return job.map { .replied($0, reply) }
    case .print(let lines):
      try print(lines)
      return nil
    case .printData(let text):
      try printData(text)
      return nil
    default: return nil
    }
  }
}

extension Desk: CustomTestStringConvertible {
  public var testDescription: String { "desk (\(mode), “\(message?.text ?? "")”)" }
}
