internal import Glibc
internal import PortolanCSystem
internal import PortolanTerminals

extension CursesScreen {
  /// The questions whose replies would change something.
  func wishes(_ options: TerminalOptions) -> TerminalInquiry.Wishes {
    var wishes: TerminalInquiry.Wishes = []
    if options.theme?.ground == nil, capabilities.terminalDepth > .mono { wishes.insert(.ground) }
    let isChosen = options.colour != .auto && options.colour != .always
    if capabilities.terminalDepth == .indexed, !isChosen {
      wishes.insert(.directColour)
    }
    if options.pictures != .off, cellSize != nil { wishes.insert(.pictures) }
    return wishes
  }

  /// Sends the first questions.
  func ask() {
    guard let bytes = inquiry?.begin(at: CursesScreen.now()), !bytes.isEmpty else { return }
    noteExpectation()
    send(bytes)
  }

  /// Takes the replies that have arrived: sends the next questions, or adopts the results.
  func takeReplies() {
    for reply in decoder.takeReplies() {
      if case .scheme(let ground) = reply, modes.reportsScheme {
        adopt { $0.ground = ground }
        continue
      }
      guard inquiry?.isOpen == true else { continue }
      let next = inquiry?.take(reply, at: CursesScreen.now()) ?? []
      send(next)
      noteExpectation()
      if inquiry?.isOpen == false { adoptFindings() }
    }
  }

  /// Waits for due replies, and discards them and all other input: the shell would take those that
  /// come after us for typed text.
  func awaitReplies() {
    guard inquiry?.isOpen == true else { return }
    let end = CursesScreen.now() + 0.15
    while inquiry?.isOpen == true, CursesScreen.now() < end {
      guard readInput(seconds: end - CursesScreen.now()) else { break }
      while decoder.next() != nil {}
      for reply in decoder.takeReplies() {
        // The next stage is for the next time that the terminal is ours.
        if inquiry?.take(reply, at: CursesScreen.now()).isEmpty == false { inquiry?.reset() }
      }
    }
    if inquiry?.isOpen == true { inquiry?.reset() }
    noteExpectation()
    tcflush(input, TCIFLUSH)
  }

  /// Ends the inquiry of a terminal that keeps silent.
  func noteSilence() {
    inquiry?.expire(at: CursesScreen.now())
    noteExpectation()
    adoptFindings()
  }

  private func noteExpectation() {
    let isDue = inquiry?.isOpen == true
    decoder.expectation = isDue ? .reply : .lateReply
    portolan_guard_expect_replies(isDue ? 1 : 0)
  }

  /// Uses what the terminal has said; what it left open stays as its description has it.
  private func adoptFindings() {
    guard let findings = inquiry?.findings, !isEnding else { return }
    if asksForSynchronisation, findings.synchronisation != .silence {
      modes.isSynchronised = findings.synchronisation == .yes
    }
    modes.usesKeyboardProtocol = findings.keyboard == .yes
    modes.reportsScheme = findings.schemeReports == .yes
    // Before the modes are taken: a signal handler gives them back.
    prepareHandlers()
    send(modes.learned())
    let isExact = findings.directColour == .yes
    if isExact {
      colours.useExactColours()
      shown = nil
    }
    adopt { capabilities in
      if isExact { capabilities.terminalDepth = .trueColour }
      capabilities.drawsSextants = findings.drawsSextants
      capabilities.terminalName = findings.name ?? capabilities.terminalName
      if findings.pictures != .silence { capabilities.takesPictures = findings.pictures == .yes }
      if let background = findings.background {
        capabilities.ground = Ground(background: background)
      }
    }
  }

  /// Changes the capabilities, and tells the editor.
  func adopt(_ change: (inout ScreenCapabilities) -> Void) {
    var changed = capabilities
    change(&changed)
    guard changed != capabilities else { return }
    capabilities = changed
    waitingEvents.append(.learned(changed))
  }
}
