import Glibc

/// The processor time of a piece of work on this thread, in seconds: unlike the time on a clock it
/// does not depend on other programs.
package func processorTime(of work: () throws -> Void) rethrows -> Double {
  let start = threadTime()
  try work()
  return threadTime() - start
}

private func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
