import Dispatch
import Glibc
import PortolanCSystem
import PortolanCursesTerminal
import PortolanEditing
import PortolanFiles
import PortolanKeeping
import PortolanTerminals

/// The socket of this process, and its life without a terminal.
final class Reception {
  private var door: HostPort?
  private var signals: [any DispatchSourceSignal] = []
  private var foreground: (any DispatchSourceTimer)?
  private let foregroundQueue = DispatchQueue(label: "portolan.foreground")

  /// Lets other terminals in from now on, where there is a folder for sockets.
  ///
  /// - Parameters:
  ///   - stays: whether the documents stay open without a terminal.
  ///   - outlivesLogin: whether it is known that the end of a login leaves the process alone.
  func open<S: Screen>(
    _ loop: inout EditorLoop<S>, stays: Bool = false, outlivesLogin: Bool = false
  ) {
    let process = Int(getpid())
    guard let path = HostFinder.sockets?.path(of: process) else {
      return loop.share(at: nil, trouble: "no folder for its socket: set XDG_RUNTIME_DIR or HOME")
    }
    HostFinder.sockets?.clear()
    do {
      door = try HostPort(at: path, box: loop.box)
      loop.share(at: path, stays: stays, outlivesLogin: outlivesLogin || !Self.hasSystemd)
    } catch {
      loop.share(at: nil, trouble: error.description)
    }
  }

  /// Whether systemd runs this machine, and ends the processes of a login with it.
  static var hasSystemd: Bool { RealFileSystem().exists("/run/systemd/system") }

  /// Gives the terminal back, and goes on without it.
  func leave(_ screen: CursesScreen, isGone: Bool, _ text: String, box: GuestBox) {
    screen.close()
    if !isGone, !text.isEmpty { Diagnostics.write(text) }
    endOnSignals(box)
    if portolan_leave_terminal(isGone ? 1 : 0) == 1 { attachInForeground() }
  }

  /// Shows the workspace at the terminal again while the shell has this process in the foreground.
  private func attachInForeground() {
    // The shell takes the job for a running one, and says nothing when it gives it the terminal.
    let timer = DispatchSource.makeTimerSource(queue: foregroundQueue)
    timer.schedule(deadline: .now() + 0.3, repeating: 0.3, leeway: .milliseconds(100))
    timer.setEventHandler {
      let words: [String] = ["portolan", "attach", "\(getpid())"]
      let copies = words.map { strdup($0) }
      defer { for copy in copies { free(copy) } }
      if portolan_show_in_foreground("/proc/self/exe", copies + [nil]) == 0 { timer.cancel() }
    }
    timer.resume()
    foreground = timer
  }

  /// Ends the workspace when the process is asked to end; its journals are kept.
  func endOnSignals(_ box: GuestBox) {
    signals = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { box.postEnd() }
      source.resume()
      return source
    }
  }

  /// Closes the socket, and lets the client in the foreground give the terminal back.
  func close() {
    portolan_end_foreground()
    door?.close()
    door = nil
    guard let foreground else { return }
    foreground.cancel()
    // The shell takes the terminal as this process ends: a client would be too late then.
    let isFree = DispatchSemaphore(value: 0)
    foregroundQueue.async { isFree.signal() }
    _ = isFree.wait(timeout: .now() + 2)
    self.foreground = nil
  }

  /// The socket of a program that has a document open, if it lets others in.
  @Sendable static func socket(of holder: LockHolder) -> String? {
    let own = LockHolder.current(in: RealFileSystem())
    guard holder.host == own.host, holder.boot == own.boot, holder.process != own.process,
      let sockets = HostFinder.sockets, sockets.processes.contains(Int(holder.process))
    else { return nil }
    return sockets.path(of: Int(holder.process))
  }
}
