import Foundation
import Testing

/// The program as a person meets it: in a terminal, with a keyboard.
@Suite(
  .serialized,
  .enabled(if: TerminalSession.tmux != nil, "tmux is not installed: apt-get install tmux"))
struct EndToEndTests {
  @Test func `The shell of the harness answers`() throws {
    let session = try TerminalSession()
    try session.run("echo one-$((1+1))")
    try session.waitFor("one-2")
  }
}
