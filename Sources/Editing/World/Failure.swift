package import PortolanFiles

/// Why the world refused or failed a request: the file, the problem, and advice.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: ExitCode
  /// The file, or `standard input`; empty if no file is at fault.
  package var subject: String
  /// The problem, and advice.
  package var what: String
  /// The column in the line of a script, from 1.
  package var column: Int?
  /// Whether a named file does not exist.
  package var isNoSuchFile = false
  /// Whether the reader of our output is gone: nothing is printed then.
  package var isBrokenPipe = false

  package init(_ code: ExitCode, subject: String = "", what: String) {
    self.code = code
    self.subject = subject
    self.what = what
  }

  /// An error of a command, of a reply, or of the world itself.
  package init(_ error: any Error) {
    if let failure = error as? Failure {
      self = failure
    } else {
      let known = error as? EditingError
      self.init(known?.code == .unsupported ? .unsupported : .usage, what: "\(error)")
      column = known?.column
    }
  }

  /// `FILE: what: how to fix`, as it stands after `portolan: ` and in the message line.
  package var description: String { subject.isEmpty ? what : "\(subject): \(what)" }

  /// A call of the file system that failed while reading.
  package static func reading(_ path: String, _ error: FileError) -> Failure {
    var failure = Failure(.input, subject: path, what: text(error))
    failure.isNoSuchFile = error.isNoSuchFile
    return failure
  }

  /// A call of the file system that failed while writing; the former content is unchanged.
  package static func writing(_ path: String, _ error: FileError) -> Failure {
    var what = text(error)
    switch error.problem {
    case .isDevice, .isPipe, .isSocket:
      what = "\(error.what): write to - and redirect that (> \(path))"
    default: break
    }
    var failure = Failure(.output, subject: path, what: what)
    failure.isBrokenPipe = error.isBrokenPipe
    return failure
  }

  private static func text(_ error: FileError) -> String {
    error.remedy.isEmpty ? error.what : "\(error.what): \(error.remedy)"
  }
}
