import Glibc
import PortolanProbes

/// One file in one reader, measured.
enum Trial {
  static func run(_ reader: HostileReader, on bytes: [UInt8]) -> String {
    giveMemoryBack()
    let before = resetPeak()
    let start = processorTime()
    let outcome = Result { try reader.read(bytes) }
    let time = processorTime() - start
    let growth = status("VmHWM:") - before
    let words: String
    switch outcome {
    case .success: words = "accepted"
    case .failure: words = "refused"
    }
    var message = ""
    if case .failure(let error) = outcome { message = "\(error)" }
    let oneLine = message.replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    return "\(words)\t\(time)\t\(growth)\t\(EvilGadget.count)\t\(oneLine)"
  }

  /// Lets the allocator keep nothing of the files before, so that this one's memory shows.
  ///
  /// `malloc_trim` is not among what Swift sees of the C library.
  private static func giveMemoryBack() {
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)(0)
  }

  /// Microseconds of this thread.
  private static func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }

  /// Lets the peak of the memory begin anew, and gives what is in use, in kibibytes.
  private static func resetPeak() -> Int {
    if let file = fopen("/proc/self/clear_refs", "w") {
      fputs("5", file)
      fclose(file)
    }
    return status("VmRSS:")
  }

  private static func status(_ field: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, CInt(line.count), file) != nil {
      let text = line.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { String(cString: $0) } ?? ""
      }
      let words = text.split { $0 == " " || $0 == "\t" }
      if words.first == field[...], words.count > 1 { return Int(words[1]) ?? 0 }
    }
    return 0
  }
}
