package import PortolanTerminals

/// The version of the messages between a host and its guests; another one is refused.
package enum SharingProtocol {
  package static let version = 3
  /// The program that speaks it, for those who speak another one.
  package static let program = "portolan 0.1.0"
}

/// What a guest says of itself when it arrives.
package struct GuestFacts: Hashable, Sendable {
  /// Which session it is for.
  package enum Wish: Int, Hashable, Sendable, CaseIterable {
    /// The first one that no terminal shows; a new one where all are shown.
    case anySession
    /// A new one.
    case newSession
    /// A new one that changes nothing.
    case watching
  }

  package var version = SharingProtocol.version
  package var wish: Wish
  package var name: String
  package var size: CellSize
  package var capabilities: ScreenCapabilities

  package init(
    wish: Wish, name: String, size: CellSize, capabilities: ScreenCapabilities
  ) {
    (self.wish, self.name, self.size, self.capabilities) = (wish, name, size, capabilities)
  }

  package var bytes: [UInt8] {
    var writer = PackedWriter()
    writer.write(version)
    writer.write(wish.rawValue)
    writer.write(String(name.prefix(40)))
    size.write(to: &writer)
    capabilities.write(to: &writer)
    return writer.bytes
  }

  package init(_ bytes: [UInt8]) throws(PackedBytesError) {
    var reader = PackedReader(bytes)
    version = try reader.number(atMost: 1 << 20)
    guard version == SharingProtocol.version else {
      throw reader.fault(
        "the client speaks version \(version), this host version \(SharingProtocol.version): "
          + "install the same portolan on both sides")
    }
    wish = try reader.choice(of: Wish.allCases)
    name = try reader.text(atMost: 200)
    size = try CellSize(from: &reader)
    capabilities = try ScreenCapabilities(from: &reader)
    try reader.end()
  }
}

/// What a host tells the terminal of a guest.
package enum GuestNotice: Hashable, Sendable {
  /// The most bytes for a clipboard; no terminal takes as many.
  static let clipboardMax = 1 << 20

  case beep
  /// The next frame is to be sent to the terminal whole.
  case redraw
  case clipboard(String)
  /// Stop the client, as Ctrl-Z does.
  case suspend
  /// The guest's place is gone; the client ends with a code, and prints a line unless it is empty.
  case end(code: Int32, text: String)

  package var bytes: [UInt8] {
    var writer = PackedWriter()
    switch self {
    case .beep: writer.write(0)
    case .redraw: writer.write(1)
    case .clipboard(let text):
      writer.write(2)
      writer.write(text)
    case .suspend: writer.write(3)
    case .end(let code, let text):
      writer.write(4)
      writer.write(Int(UInt8(truncatingIfNeeded: code)))
      writer.write(text)
    }
    return writer.bytes
  }

  package init(_ bytes: [UInt8]) throws(PackedBytesError) {
    var reader = PackedReader(bytes)
    switch try reader.number(atMost: 4) {
    case 0: self = .beep
    case 1: self = .redraw
    case 2: self = .clipboard(try reader.text(atMost: Self.clipboardMax))
    case 3: self = .suspend
    default:
      let code = Int32(try reader.number(atMost: 255))
      self = .end(code: code, text: try reader.text(atMost: 10_000))
    }
    try reader.end()
  }
}

/// Events on their way to a host.
package enum PackedEvents {
  /// The most events of one message.
  private static let countMax = 4_096
  /// The bytes of pastes beyond which a message ends.
  private static let pasteBytes = 1 << 20

  /// The same events, in messages that a host takes.
  static func messages(of events: [TerminalEvent]) -> [[TerminalEvent]] {
    var messages: [[TerminalEvent]] = []
    var bytes = 0
    for event in events.map(\.cutForSending) {
      bytes += event.pasteBytes
      if let last = messages.last, last.count < countMax, bytes <= pasteBytes {
        messages[messages.count - 1].append(event)
      } else {
        messages.append([event])
        bytes = event.pasteBytes
      }
    }
    return messages
  }

  package static func bytes(_ events: [TerminalEvent]) -> [UInt8] {
    var writer = PackedWriter()
    writer.write(list: events) { $1.write(to: &$0) }
    return writer.bytes
  }

  package static func events(_ bytes: [UInt8]) throws(PackedBytesError) -> [TerminalEvent] {
    var reader = PackedReader(bytes)
    let events = try reader.list(atMost: countMax) { reader throws(PackedBytesError) in
      try TerminalEvent(from: &reader)
    }
    try reader.end()
    return events
  }
}

/// The state of a host, for `portolan list`.
package struct HostState: Hashable, Sendable {
  /// An open document.
  package struct Item: Hashable, Sendable {
    package var path: String
    package var title: String
    package var isEdited: Bool
  }

  /// A session.
  package struct Person: Hashable, Sendable {
    package var number: Int
    package var name: String
    package var isPresent: Bool
  }

  package var process: Int
  /// The folder that names of files in commands are relative to.
  package var folder: String
  package var documents: [Item]
  package var people: [Person]

  /// Whether it stays without a terminal, but the end of a login may end it.
  package var mayEndAtLogout = false

  package init(
    process: Int, folder: String, documents: [Item], people: [Person], mayEndAtLogout: Bool = false
  ) {
    (self.process, self.folder, self.documents, self.people) = (process, folder, documents, people)
    self.mayEndAtLogout = mayEndAtLogout
  }

  package var bytes: [UInt8] {
    var writer = PackedWriter()
    writer.write(max(0, process))
    writer.write(folder)
    writer.write(list: documents) { writer, document in
      writer.write(document.path)
      writer.write(document.title)
      writer.write(document.isEdited)
    }
    writer.write(list: people) { writer, person in
      writer.write(max(0, person.number))
      writer.write(person.name)
      writer.write(person.isPresent)
    }
    writer.write(mayEndAtLogout)
    return writer.bytes
  }

  package init(_ bytes: [UInt8]) throws(PackedBytesError) {
    var reader = PackedReader(bytes)
    process = try reader.number(atMost: 1 << 40)
    folder = try reader.text(atMost: 5_000)
    documents = try reader.list(atMost: 10_000) { reader throws(PackedBytesError) in
      let path = try reader.text(atMost: 5_000)
      let title = try reader.text(atMost: 5_000)
      return Item(path: path, title: title, isEdited: try reader.flag())
    }
    people = try reader.list(atMost: 10_000) { reader throws(PackedBytesError) in
      let number = try reader.number(atMost: 1 << 40)
      let name = try reader.text(atMost: 200)
      return Person(number: number, name: name, isPresent: try reader.flag())
    }
    mayEndAtLogout = try reader.flag()
    try reader.end()
  }
}

/// Lines of the command language for a host.
package struct RemoteLines: Hashable, Sendable {
  package var text: String
  /// The document that they are for; `nil` for the one that is shown.
  package var path: String?
  /// The number of the session for which they act; `nil` for one of their own.
  package var person: Int?

  package init(text: String, path: String?, person: Int? = nil) {
    (self.text, self.path, self.person) = (text, path, person)
  }

  package var bytes: [UInt8] {
    var writer = PackedWriter()
    writer.write(text)
    writer.write(optional: path) { $0.write($1) }
    // Nothing for none: hosts of this version that do not know it answer all others.
    if let person { writer.write(max(0, person)) }
    return writer.bytes
  }

  package init(_ bytes: [UInt8]) throws(PackedBytesError) {
    var reader = PackedReader(bytes)
    text = try reader.text(atMost: 1 << 24)
    path = try reader.optional { reader throws(PackedBytesError) in
      try reader.text(atMost: 5_000)
    }
    if !reader.isAtEnd { person = try reader.number(atMost: 1 << 40) }
    try reader.end()
  }
}

/// What lines printed, and how they ended.
package struct RemoteAnswer: Hashable, Sendable {
  /// The most bytes of the output.
  package static let outputMax = 48 << 20

  package var code: Int32
  /// The bytes for standard output.
  package var output: [UInt8]
  /// Lines for standard error.
  package var remarks: [String]

  package init(code: Int32 = 0, output: [UInt8] = [], remarks: [String] = []) {
    (self.code, self.output, self.remarks) = (code, output, remarks)
  }

  package var bytes: [UInt8] {
    var writer = PackedWriter()
    writer.write(Int(UInt8(truncatingIfNeeded: code)))
    writer.write(output)
    writer.write(list: remarks) { $0.write($1) }
    return writer.bytes
  }

  package init(_ bytes: [UInt8]) throws(PackedBytesError) {
    var reader = PackedReader(bytes)
    code = Int32(try reader.number(atMost: 255))
    output = try reader.data(atMost: Self.outputMax)
    remarks = try reader.list(atMost: 100_000) { reader throws(PackedBytesError) in
      try reader.text(atMost: 100_000)
    }
    try reader.end()
  }
}
