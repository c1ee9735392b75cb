import PortolanTexts
import Synchronization

/// The commands of other programs under way, and what they have printed so far.
struct RemoteRuns {
  private struct Run {
    let line: LineID
    let output = RemoteOutput()
    var remarks: [String] = []
    let answer: @Sendable (RemoteAnswer) -> Void
  }

  private var runs: [SessionID: Run] = [:]

  /// The sessions of the commands.
  var people: [SessionID] { Array(runs.keys) }

  func has(_ person: SessionID) -> Bool { runs[person] != nil }

  mutating func begin(
    _ person: SessionID, _ line: LineID, _ answer: @escaping @Sendable (RemoteAnswer) -> Void
  ) {
    runs[person] = Run(line: line, answer: answer)
  }

  /// Removes the commands of a line that is broken; returns their sessions.
  mutating func give(up line: LineID) -> [SessionID] {
    let people = runs.filter { $0.value.line == line }.map(\.key)
    for person in people { runs[person] = nil }
    return people
  }

  /// Adds a line for standard error.
  mutating func add(_ remark: String, to person: SessionID) { runs[person]?.remarks.append(remark) }

  /// Prints lines for people: nothing in one ends it or acts on a terminal.
  func print(_ lines: [String], of person: SessionID) {
    let safe = lines.map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { DisplayWidth.sanitised(String($0)) }.joined(separator: "\t") + "\n"
    }
    write(Array(safe.joined().utf8), of: person)
  }

  func write(_ bytes: [UInt8], of person: SessionID) { try? runs[person]?.output.write(bytes) }

  /// Where a request of a session writes instead of standard output; `nil` for a person's.
  func sink(of person: SessionID) -> (@Sendable ([UInt8]) throws(Failure) -> Void)? {
    guard let output = runs[person]?.output else { return nil }
    return { (bytes) throws(Failure) in try output.write(bytes) }
  }

  /// Answers a program, and forgets its commands.
  mutating func answer(_ person: SessionID, _ failure: Failure?) {
    guard let run = runs.removeValue(forKey: person) else { return }
    let (bytes, isFull) = run.output.take()
    var answer = RemoteAnswer(output: bytes, remarks: run.remarks)
    if let failure {
      answer.code = failure.code.rawValue
      answer.remarks.append(failure.description)
    } else if isFull {
      answer.code = ExitCode.output.rawValue
      answer.remarks.append(RemoteOutput.fullText)
    }
    run.answer(answer)
  }
}

/// The bytes that commands of another program write to standard output.
final class RemoteOutput: Sendable {
  private let state = Mutex<(bytes: [UInt8], isFull: Bool)>(([], false))

  static let fullText =
    "the output has more than \(RemoteAnswer.outputMax >> 20) MiB: let it be written to a file"

  func write(_ bytes: [UInt8]) throws(Failure) {
    let isFull = state.withLock { state in
      if state.bytes.count + bytes.count > RemoteAnswer.outputMax { state.isFull = true }
      if !state.isFull { state.bytes += bytes }
      return state.isFull
    }
    if isFull { throw Failure(.output, what: Self.fullText) }
  }

  func take() -> (bytes: [UInt8], isFull: Bool) { state.withLock { $0 } }
}
