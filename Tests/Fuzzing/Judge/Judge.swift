import Foundation
import Glibc
import PortolanProbes

/// Reads the files that it is given, each with its layer's reader on a small stack, and prints what
/// each cost; a test judges that.
///
///     hostile-judge STACK LAYER FILE [LAYER FILE]…
///
/// One line a file: name, accepted or refused, microseconds, kibibytes, objects of the class that
/// nobody allowed, and the error. If the process ends before a file's line, that file ended it.
@main
struct Judge {
  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    guard let stack = arguments.popFirst().flatMap({ Int($0) }) else { exit(2) }
    limit(CInt(RLIMIT_AS.rawValue), to: 4 << 30)
    limit(CInt(RLIMIT_CPU.rawValue), to: 300)
    while let layer = arguments.popFirst(), let path = arguments.popFirst() {
      guard let reader = HostileReader.of(layer: layer),
        let data = FileManager.default.contents(atPath: path)
      else {
        print("\(path)\tunread")
        continue
      }
      let bytes = [UInt8](data)
      let report = onStack(stack) { Trial.run(reader, on: bytes) }
      print("\(path)\t\(report)")
      fflush(nil)
      onStack(stack) {
        for name in reader.probes { Probe.named(name)?.run(bytes) }
        return ""
      }
    }
    print("done")
  }

  private static func limit(_ resource: __rlimit_resource_t, to value: rlim_t) {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    setrlimit(resource, &limit)
  }

  /// What a body gives on a thread with a stack of its own size.
  @discardableResult
  private static func onStack(_ size: Int, _ body: @escaping @Sendable () -> String) -> String {
    let result = Box()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      result.text = body()
      done.signal()
    }
    thread.stackSize = size
    thread.start()
    done.wait()
    return result.text
  }

  /// Handed from the thread to the one that waits for it.
  private final class Box: @unchecked Sendable {
    var text = ""
  }
}
