/// Decodes the bytes from a terminal into events.
///
/// A value without clock or terminal: it is fed bytes with their time, and returns how long to wait
/// for the rest of a sequence. The pieces in which bytes arrive make no difference, as long as the
/// rest arrives within that time.
package struct InputDecoder: Sendable {
  /// The time after which a lone Esc is the key.
  package static let escapeSeconds = 0.025
  /// The time after which an incomplete sequence or character is dropped.
  package static let sequenceSeconds = 0.25
  /// The time after which a lone Esc is the key while a reply of the terminal is due.
  package static let replyEscapeSeconds = 0.1
  /// The time after which an incomplete paste or reply ends in which no more than `typedMax` bytes
  /// of it came: what comes as slowly is typed.
  package static let pasteSeconds = 2.0
  /// More bytes than anybody types within `pasteSeconds`, also with a held arrow key.
  package static let typedMax = 256
  /// The time in which the rest of an incomplete paste is still known.
  package static let restSeconds = 10.0
  /// The longest time between the two presses of a double click in one cell.
  package static let doubleClickSeconds = 0.4
  /// The longest paste, in bytes; the rest is dropped.
  package static let pasteMax = 64 << 20

  /// The decoding of bytes beyond ASCII that are not UTF-8.
  ///
  /// Valid UTF-8 is decoded as UTF-8 whatever the locale: a C locale says nothing about the
  /// terminal, and a text of an eight-bit set is hardly ever valid UTF-8 by chance.
  package enum Encoding: Hashable, Sendable {
    /// They are dropped.
    case utf8
    /// One character each.
    case eightBit(EightBitSet)

    package static let latin1 = Encoding.eightBit(.latin1)
  }

  /// Whether the terminal was asked something.
  package enum Expectation: Hashable, Sendable {
    case nothing
    /// A reply is due.
    case reply
    /// A reply may still come, or be completed, however late.
    case lateReply
  }

  /// The expectation of replies: it decides how long the beginning of one waits for its rest.
  package var expectation = Expectation.nothing

  private let encoding: Encoding
  /// Key sequences of the terminal's description, beside the common ones.
  private let ownSequences: [[UInt8]: Key]
  private let ownLengthMax: Int
  private var buffer: [UInt8] = []
  /// The index of the first pending byte.
  private var head = 0
  private var now = 0.0
  private var lastPress: (time: Double, event: MouseEvent)?
  private var paste: PasteBuffer?
  private var skip = Skip.nothing
  private var replies: [TerminalReply] = []
  /// The first bytes of a sequence, at most two, taken for keys just before.
  private var givenUp: [UInt8] = []
  /// The beginning of a reply or paste that stayed incomplete, when it was given up, and whether
  /// nothing has come since.
  private var cut: (beginning: [UInt8], time: Double, isLast: Bool)?
  /// Since when no more than `typedMax` bytes came of an incomplete sequence or paste.
  private var slowSince = 0.0
  /// The bytes that came since.
  private var slowBytes = 0

  /// The rest of an overlong sequence, which is dropped.
  private enum Skip {
    case nothing, string, control
  }

  private static func beginning(of skip: Skip) -> [UInt8] {
    switch skip {
    case .nothing: []
    case .string: Array("\u{1B}]".utf8)
    case .control: Array("\u{1B}[".utf8)
    }
  }

  package init(encoding: Encoding = .utf8, ownSequences: [[UInt8]: Key] = [:]) {
    self.encoding = encoding
    self.ownSequences = ownSequences.filter { $0.key.count > 1 && $0.key.first == 0x1B }
    ownLengthMax = self.ownSequences.keys.map { $0.count }.max() ?? 0
  }

  /// Appends bytes that arrived at a time, in seconds of any steady clock.
  package mutating func feed(_ bytes: some Sequence<UInt8>, at seconds: Double) {
    if head > 4096 || head == buffer.count {
      buffer.removeFirst(head)
      head = 0
    }
    let start = buffer.count
    buffer.append(contentsOf: bytes)
    now = seconds
    slowBytes += buffer.count - start
    if slowBytes > Self.typedMax || (start == head && !isAmidLong) { beginWaiting() }
    guard start == head, start < buffer.count, !isAmidLong else { return }
    if !givenUp.isEmpty, Self.isReply(givenUp + buffer[start...].prefix(2)) {
      buffer.insert(contentsOf: givenUp, at: start)
    } else if let cut, now - cut.time < Self.restSeconds,
      Self.isRest(buffer[start...], of: cut.beginning)
        || cut.isLast && Self.missingEnd(of: cut.beginning).contains(buffer[start])
    {
      buffer.insert(contentsOf: cut.beginning, at: start)
      self.cut = nil
    }
    cut?.isLast = false
    givenUp = []
  }

  /// Whether a paste or an overlong sequence is incomplete.
  private var isAmidLong: Bool { paste != nil || skip != .nothing }

  private mutating func beginWaiting() {
    slowSince = now
    slowBytes = 0
  }

  /// Whether bytes that came at once are the rest of a reply or paste, and hardly keys: they end
  /// it, or are more of a paste than anybody types at once.
  private static func isRest(_ bytes: ArraySlice<UInt8>, of beginning: [UInt8]) -> Bool {
    if beginning == PasteBuffer.start {
      return bytes.firstRange(of: PasteBuffer.end) != nil
        || (bytes.count > typedMax / 4 && bytes.first != 0x1B)
    }
    if beginning.starts(with: [0x1B, UInt8(ascii: "[")]) {
      let final = bytes.drop { (0x24...0x3B).contains($0) }
      return final.count < bytes.count && final.first.map { (0x61...0x7A).contains($0) } == true
    }
    let backslash = UInt8(ascii: "\\")
    if beginning.last == 0x1B { return bytes.first == backslash }
    guard let end = bytes.firstIndex(where: { $0 == 0x1B || endsString($0) }) else { return false }
    return bytes[end] == 0x07 || bytes[end...].starts(with: [0x1B, backslash])
  }

  /// The letters that alone would end a reply that is a control sequence.
  ///
  /// It is dropped rather than a key: a lost key shows, and one that nobody typed edits.
  private static func missingEnd(of beginning: [UInt8]) -> [UInt8] {
    guard beginning.starts(with: [0x1B, UInt8(ascii: "["), UInt8(ascii: "?")]),
      let last = beginning.last
    else { return [] }
    if last == UInt8(ascii: "$") { return [UInt8(ascii: "y")] }
    return last < 0x40 ? Array("cun".utf8) : []
  }

  /// The replies that were decoded since the last call, at most sixteen.
  package mutating func takeReplies() -> [TerminalReply] {
    defer { replies = [] }
    return replies
  }

  private mutating func keep(_ reply: TerminalReply?) {
    if let reply, replies.count < 16 { replies.append(reply) }
  }

  /// Whether a byte after ESC may be the second one of a reply.
  private static func beginsReply(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_")].contains(byte)
  }

  /// Whether some bytes begin a reply to one of our questions, as no key does.
  private static func isReply(_ bytes: some Collection<UInt8>) -> Bool {
    var bytes = bytes.makeIterator()
    guard bytes.next() == 0x1B, let second = bytes.next(), let third = bytes.next() else {
      return false
    }
    return switch second {
    case UInt8(ascii: "["): third == UInt8(ascii: "?")
    case UInt8(ascii: "]"): third == UInt8(ascii: "1")
    case UInt8(ascii: "P"):
      [UInt8(ascii: ">"), UInt8(ascii: "0"), UInt8(ascii: "1")].contains(third)
    case UInt8(ascii: "_"): third == UInt8(ascii: "G")
    default: false
    }
  }

  /// When to call `giveUp` if no more bytes come, on the clock of `feed`; `nil` if no sequence is
  /// incomplete.
  package var deadlineSeconds: Double? { patienceSeconds.map { now + $0 } }

  /// How long to wait for more bytes, after the last ones, before `giveUp`; `nil` if no sequence is
  /// incomplete.
  package var patienceSeconds: Double? {
    let slow = max(0, slowSince + InputDecoder.pasteSeconds - now)
    if paste != nil { return slow }
    if skip != .nothing { return expectation == .nothing ? InputDecoder.sequenceSeconds : slow }
    guard head < buffer.count else { return nil }
    if expectation != .nothing, Self.isReply(buffer[head...]) { return slow }
    guard buffer.count - head == 1, buffer[head] == 0x1B else {
      return InputDecoder.sequenceSeconds
    }
    return expectation == .reply ? InputDecoder.replyEscapeSeconds : InputDecoder.escapeSeconds
  }

  /// The next event; `nil` when more bytes are needed.
  package mutating func next() -> TerminalEvent? {
    while true {
      if paste != nil {
        guard let event = continuePaste() else { return nil }
        beginWaiting()
        return event
      }
      skipRest()
      guard skip == .nothing, head < buffer.count else { return nil }
      switch step() {
      case .event(let event, let length):
        head += length
        beginWaiting()
        return event
      case .nothing(let length):
        head += length
        beginWaiting()
      case .incomplete:
        return nil
      }
    }
  }

  /// Called after `patienceSeconds` without bytes: returns the best event for the incomplete bytes.
  package mutating func giveUp() -> TerminalEvent? {
    if let open = paste {
      paste = nil
      cut = (PasteBuffer.start, now, true)
      return .cutPaste(open.text(encoding))
    }
    if expectation != .nothing {
      if skip != .nothing { cut = (Self.beginning(of: skip), now, true) }
      if Self.isReply(buffer[head...]) { cut = (Array(buffer[head...]), now, true) }
    }
    skip = .nothing
    guard head < buffer.count else { return nil }
    let count = buffer.count - head
    if expectation != .nothing, count <= 2, buffer[head] == 0x1B {
      givenUp = Array(buffer[head...])
    }
    guard buffer[head] == 0x1B else {
      if case .event(let event, let length) = eightBitStep(at: head, modifiers: [], prefix: 0) {
        head += length
        return event
      }
      head += 1
      return next()
    }
    if count > 1, buffer[head + 1] >= 0x80,
      case .event(let event, let length) = eightBitStep(at: head + 1, modifiers: .alt, prefix: 1)
    {
      head += length
      return event
    }
    if count == 1 {
      head += 1
      return .key(Key(.escape))
    }
    defer { head = buffer.count }
    // While a reply is due, this is rather one that was cut than a key with Alt.
    if expectation == .reply, count == 2, Self.beginsReply(buffer[head + 1]) { return nil }
    guard count == 2, let scalar = Unicode.Scalar(UInt32(buffer[head + 1])) else { return nil }
    return .key(Key(.character(Character(scalar)), .alt))
  }

  /// The result of decoding at the head.
  enum Step {
    case event(TerminalEvent, length: Int)
    case nothing(length: Int)
    case incomplete
  }

  private mutating func step() -> Step {
    let first = buffer[head]
    if first == 0x1B { return escapeStep() }
    if first < 0x80 { return .event(.key(InputDecoder.key(ofASCII: first)), length: 1) }
    return characterStep(at: head, modifiers: [], prefix: 0)
  }

  private mutating func escapeStep() -> Step {
    if let own = ownStep() { return own }
    guard head + 1 < buffer.count else { return .incomplete }
    let second = buffer[head + 1]
    switch second {
    case 0x1B:
      return .event(.key(Key(.escape)), length: 1)
    case UInt8(ascii: "["):
      return controlStep()
    case UInt8(ascii: "O"):
      return applicationStep()
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      return stringStep()
    case 0x80...:
      return characterStep(at: head + 1, modifiers: .alt, prefix: 1)
    default:
      var key = InputDecoder.key(ofASCII: second)
      key.modifiers.insert(.alt)
      return .event(.key(key), length: 2)
    }
  }

  /// A sequence of the terminal's own description.
  private func ownStep() -> Step? {
    guard ownLengthMax > 0 else { return nil }
    let available = min(ownLengthMax, buffer.count - head)
    for length in stride(from: available, to: 1, by: -1) {
      if let key = ownSequences[Array(buffer[head..<head + length])] {
        return .event(.key(key), length: length)
      }
    }
    return nil
  }

  /// CSI: `ESC [`, parameters, a final byte.
  private mutating func controlStep() -> Step {
    var index = head + 2
    if index < buffer.count, buffer[index] == UInt8(ascii: "[") {
      guard index + 1 < buffer.count else { return .incomplete }
      let key = ControlSequence.consoleKey(buffer[index + 1])
      return key.map { .event(.key($0), length: 4) } ?? .nothing(length: 4)
    }
    while index < buffer.count, (0x20...0x3F).contains(buffer[index]) {
      index += 1
      if index - head > 64 {
        skip = .control
        return .nothing(length: index - head)
      }
    }
    guard index < buffer.count else { return .incomplete }
    let final = buffer[index]
    guard (0x40...0x7E).contains(final) else { return .nothing(length: index - head) }
    let length = index + 1 - head
    let sequence = ControlSequence(parameters: buffer[head + 2..<index], final: final)
    if sequence.isPasteStart {
      paste = PasteBuffer()
      return .nothing(length: length)
    }
    if final == UInt8(ascii: "M"), length == 3 { return oldMouseStep() }
    if let mouse = sequence.mouse { return mouseStep(mouse, length: length) }
    keep(TerminalReply(sequence))
    return sequence.key.map { .event(.key($0), length: length) } ?? .nothing(length: length)
  }

  /// SS3: `ESC O` and a letter.
  private func applicationStep() -> Step {
    guard head + 2 < buffer.count else { return .incomplete }
    let key = ControlSequence.applicationKey(buffer[head + 2])
    return key.map { .event(.key($0), length: 3) } ?? .nothing(length: 3)
  }

  /// A reply or report of the terminal as a string (OSC, DCS …): kept if it is known, else skipped.
  private mutating func stringStep() -> Step {
    var index = head + 2
    while index < buffer.count {
      let byte = buffer[index]
      var end = index + 1
      if byte == 0x1B {
        guard end < buffer.count else { return .incomplete }
        guard buffer[end] == UInt8(ascii: "\\") else { return .nothing(length: index - head) }
        end += 1
      } else if !Self.endsString(byte) {
        index += 1
        continue
      }
      if byte == 0x07 || byte == 0x1B {
        keep(TerminalReply(introducer: buffer[head + 1], body: buffer[head + 2..<index]))
      }
      return .nothing(length: end - head)
    }
    guard index - head > TerminalReply.lengthMax + 2 else { return .incomplete }
    skip = .string
    return .nothing(length: index - head)
  }

  /// Whether a byte, beside ESC, ends a string sequence: BEL, CAN, SUB.
  private static func endsString(_ byte: UInt8) -> Bool {
    byte == 0x07 || byte == 0x18 || byte == 0x1A
  }

  /// Drops the rest of an overlong sequence, as far as it has arrived.
  private mutating func skipRest() {
    while head < buffer.count, skip != .nothing {
      let byte = buffer[head]
      switch skip {
      case .control where (0x20...0x3F).contains(byte):
        head += 1
      case .control:
        skip = .nothing
        if (0x40...0x7E).contains(byte) { head += 1 }
      case .string where byte == 0x1B:
        // Its end mark is `ESC \`; any other sequence begins anew.
        guard head + 1 < buffer.count else { return }
        skip = .nothing
        if buffer[head + 1] == UInt8(ascii: "\\") { head += 2 }
      case .string:
        if Self.endsString(byte) { skip = .nothing }
        head += 1
      case .nothing: return
      }
    }
  }

  private func characterStep(at start: Int, modifiers: Key.Modifiers, prefix: Int) -> Step {
    let length = UTF8Character.length(lead: buffer[start])
    guard length > 0 else { return eightBitStep(at: start, modifiers: modifiers, prefix: prefix) }
    for offset in 1..<length {
      guard start + offset < buffer.count else { return .incomplete }
      if buffer[start + offset] & 0xC0 != 0x80 {
        return eightBitStep(at: start, modifiers: modifiers, prefix: prefix, skipping: offset)
      }
    }
    guard let text = String(validating: buffer[start..<start + length], as: UTF8.self),
      let scalar = text.unicodeScalars.first
    else {
      return eightBitStep(at: start, modifiers: modifiers, prefix: prefix, skipping: length)
    }
    guard scalar.value >= 0xA0 else { return .nothing(length: prefix + length) }
    return .event(.key(Key(.character(Character(scalar)), modifiers)), length: prefix + length)
  }

  /// A byte that begins no UTF-8 character: a character of the eight-bit set, or `skipped` dropped
  /// bytes.
  private func eightBitStep(
    at start: Int, modifiers: Key.Modifiers, prefix: Int, skipping skipped: Int = 1
  ) -> Step {
    guard case .eightBit(let set) = encoding else { return .nothing(length: prefix + skipped) }
    guard let scalar = set.scalar(of: buffer[start]), scalar.value >= 0xA0 else {
      return .nothing(length: prefix + 1)
    }
    return .event(.key(Key(.character(Character(scalar)), modifiers)), length: prefix + 1)
  }

  /// X10 mouse: three bytes after `ESC [ M`, each offset by 32.
  private mutating func oldMouseStep() -> Step {
    guard head + 5 < buffer.count else { return .incomplete }
    let numbers = buffer[head + 3..<head + 6].map { Int($0) - 32 }
    let isRelease = numbers[0] & 3 == 3 && numbers[0] & 0x60 == 0
    let mouse = ControlSequence.mouse(
      code: isRelease ? numbers[0] & ~3 : numbers[0], column: numbers[1], row: numbers[2],
      isRelease: isRelease)
    return mouse.map { mouseStep($0, length: 6) } ?? .nothing(length: 6)
  }

  private mutating func mouseStep(_ mouse: MouseEvent, length: Int) -> Step {
    var event = mouse
    if event.action == .press {
      if let last = lastPress, now - last.time < InputDecoder.doubleClickSeconds,
        last.event.button == event.button, last.event.column == event.column,
        last.event.row == event.row
      {
        event.action = .doubleClick
        lastPress = nil
      } else {
        lastPress = (now, event)
      }
    }
    return .event(.mouse(event), length: length)
  }

  /// Takes pasted bytes; returns the event when their end has arrived.
  private mutating func continuePaste() -> TerminalEvent? {
    guard var open = paste else { return nil }
    paste = nil
    let end = open.take(buffer[head...])
    head = end ?? buffer.count
    guard end == nil else {
      cut = nil
      return open.isCut ? .cutPaste(open.text(encoding)) : .paste(open.text(encoding))
    }
    paste = open
    return nil
  }

  /// The key of a byte below 0x80.
  static func key(ofASCII byte: UInt8) -> Key {
    switch byte {
    case 0x00: return Key(.character(" "), .control)
    case 0x08, 0x7F: return Key(.backspace)
    case 0x09: return Key(.tab)
    case 0x0A, 0x0D: return Key(.enter)
    case 0x1B: return Key(.escape)
    case 0x01..<0x1B: return Key(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    case 0x1C..<0x20: return Key(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
    default: return Key(.character(Character(Unicode.Scalar(byte))))
    }
  }
}
