import Foundation

/// CPU seconds of `body`, the median of several runs.
///
/// What it makes is released after the clock is read, as the peers free after their clocks.
func medianSeconds<Made>(_ repetitions: Int, _ body: () throws -> Made) rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<repetitions {
    let start = processorSeconds()
    let made = try body()
    times.append(processorSeconds() - start)
    withExtendedLifetime(made) {}
  }
  return times.sorted()[repetitions / 2]
}

private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The memory that `body` needed beyond what it made, in bytes: the highest resident size while it
/// ran, less that with the result alone.
///
/// The kernel forgets the former peak when 5 is written to `clear_refs` (proc(5)); `nil` where it
/// refuses.
func memoryBeyondResult<Made>(_ body: () throws -> Made) rethrows -> Int? {
  giveBackFreeMemory()
  guard (try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)) != nil
  else { return nil }
  let made = try body()
  guard let peak = residentBytes("VmHWM:") else { return nil }
  giveBackFreeMemory()
  let rest = residentBytes("VmRSS:")
  withExtendedLifetime(made) {}
  return rest.map { max(0, peak - $0) }
}

private func residentBytes(_ field: String) -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
    return nil
  }
  let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
  let words = line?.split(whereSeparator: \.isWhitespace) ?? []
  return words.count > 1 ? Int(words[1]).map { $0 * 1024 } : nil
}

/// Calls glibc's `malloc_trim`, which Swift does not import.
private func giveBackFreeMemory() {
  guard let address = dlsym(nil, "malloc_trim") else { return }
  typealias Trim = @convention(c) (Int) -> CInt
  _ = unsafeBitCast(address, to: Trim.self)(0)
}

func milli(_ seconds: Double) -> String { String(format: "%.3f ms", seconds * 1e3) }
func micro(_ seconds: Double) -> String { String(format: "%.2f us", seconds * 1e6) }
func percent(_ part: Double) -> String { String(format: "%.3f %%", part * 100) }
func ratio(_ ours: Double, _ theirs: Double) -> String { String(format: "%.3g", ours / theirs) }
