import PortolanEditing
import PortolanFiles
import PortolanKeeping
import PortolanTexts

/// `portolan list` and `portolan remote`.
enum RemoteProgram {
  static func list(_ list: ListServed) throws(Failure) {
    let lines = HostFinder.hosts().map { host in
      guard let state = host.state else {
        return list.json
          ? "{\"process\":\(host.process),\"socket\":\(SafeJSON.string(host.socket)),"
            + "\"answers\":false}"
          : "\(host.process)\t(does not answer)\t"
      }
      return list.json ? json(host.socket, state) : text(state)
    }
    try HeadlessProgram.write(lines.map { $0 + "\n" }.joined())
  }

  private static func text(_ state: HostState) -> String {
    let documents = state.documents.map { document in
      (document.path.isEmpty ? document.title : document.path) + (document.isEdited ? " +" : "")
    }
    let people = state.people.map { person in
      let name = "\(person.number) \(person.name)"
      return person.isPresent ? name : "(\(name))"
    }
    let columns = [
      "\(state.process)", documents.joined(separator: ", "), people.joined(separator: ", "),
    ]
    return (columns + (state.mayEndAtLogout ? ["may end at logout"] : [])).joined(separator: "\t")
  }

  private static func json(_ socket: String, _ state: HostState) -> String {
    let documents = state.documents.map { document in
      "{\"path\":\(SafeJSON.string(document.path)),\"title\":\(SafeJSON.string(document.title)),"
        + "\"edited\":\(document.isEdited)}"
    }
    let people = state.people.map { person in
      "{\"number\":\(person.number),\"name\":\(SafeJSON.string(person.name)),"
        + "\"present\":\(person.isPresent)}"
    }
    return "{\"process\":\(state.process),\"socket\":\(SafeJSON.string(socket)),"
      + "\"folder\":\(SafeJSON.string(state.folder)),"
      + "\"documents\":[\(documents.joined(separator: ","))],"
      + "\"people\":[\(people.joined(separator: ","))],"
      + "\"mayEndAtLogout\":\(state.mayEndAtLogout)}"
  }

  /// Runs a command in another process; returns its exit code.
  static func run(_ remote: RemoteCommand) throws(Failure) -> Int32 {
    let destination = try Destination(remote.target, SystemFacts.settings)
    let files = RealFileSystem()
    var text: String
    if remote.command == ["-"] {
      text = try World(files: files).scriptText("-")
    } else {
      text = remote.command.map { FilePath.quoted($0) }.joined(separator: " ")
    }
    if text.allSatisfy(\.isWhitespace) {
      throw Failure(
        .usage, what: "remote what? Give a command, or - for a script on standard input")
    }
    text += "\n"
    let line = try destination.connect()
    let answer = try line.run(
      RemoteLines(text: text, path: destination.file, person: remote.session))
    try HeadlessProgram.send(answer.output)
    for remark in answer.remarks { Diagnostics.write(remark) }
    return answer.code
  }
}
