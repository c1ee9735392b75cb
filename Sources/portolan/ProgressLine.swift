import Dispatch
import Glibc
import PortolanEditing
import PortolanTerminals
import PortolanTexts
import Synchronization

/// A progress line on the terminal, which is removed when the work ends.
///
/// It appears after half a second, on standard error only, and only if that is a terminal which can
/// return to the beginning of a line.
final class ProgressLine: ProgressReporting {
  private struct State {
    var name: String?
    var fraction: Double?
    var start = ContinuousClock.now
    /// The number of columns that it covers.
    var shownColumns = 0
  }

  private let state = Mutex(State())
  private let columns: Int

  private static let delay = Duration.milliseconds(500)
  private static let interval = DispatchTimeInterval.milliseconds(200)

  /// `nil` if standard error is no terminal, or cannot remove the line.
  init?() {
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    guard StandardDescriptors.isTerminal(2), !terminal.isEmpty, terminal != "dumb" else {
      return nil
    }
    columns = StandardDescriptors.columns(2) ?? 80
    showLater()
  }

  func begin(_ name: String) {
    state.withLock { $0 = State(name: name, shownColumns: $0.shownColumns) }
  }

  func report(_ fraction: Double) {
    state.withLock { $0.fraction = fraction }
  }

  func end() {
    state.withLock { state in
      erase(&state)
      state.name = nil
    }
  }

  private func showLater() {
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [weak self] in
      guard let self else { return }
      state.withLock { show(&$0) }
      showLater()
    }
  }

  private func show(_ state: inout State) {
    let elapsed = state.start.duration(to: .now)
    guard let name = state.name, elapsed >= Self.delay else { return }
    let amount =
      state.fraction.map { "\(Int((min(max($0, 0), 1) * 100).rounded(.down))) %" }
      ?? (elapsed < .seconds(1) ? "…" : "\(elapsed.components.seconds) s")
    let room = max(0, columns - 1 - amount.count - 2)
    let text = DisplayWidth.prefix(of: DisplayWidth.sanitised("portolan: \(name)"), columns: room)
    let width = text.columns + 2 + amount.count
    let rest = String(repeating: " ", count: max(0, state.shownColumns - width))
    write("\r\(text.text)  \(amount)\(rest)")
    state.shownColumns = width
  }

  private func erase(_ state: inout State) {
    guard state.shownColumns > 0 else { return }
    write("\r" + String(repeating: " ", count: state.shownColumns) + "\r")
    state.shownColumns = 0
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    // An error of this write cannot be reported.
    _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
