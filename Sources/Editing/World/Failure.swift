package import PortolanFiles

/// Why the world did not do what it was asked for: which file, what is wrong, how to go on.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: ExitCode
  /// The file, or `standard input`; empty where the fault is in none.
  package var subject: String
  /// What is wrong, and how to put it right.
  package var what: String
  /// Where in the line of a script, from 1.
  package var column: Int?
  /// Whether a file was named that is not there.
  package var isNoSuchFile = false
  /// Whether the reader of our output has gone: nothing is to be said then.
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

  /// A call of the file system that failed while writing; what was there is as it was.
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
