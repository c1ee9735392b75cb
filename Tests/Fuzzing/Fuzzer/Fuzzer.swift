import Glibc
import PortolanProbes

/// The probe that the environment names; the fuzzer's own options leave no room for another.
private let chosen: Probe? = getenv("PORTOLAN_PROBE").flatMap { Probe.named(String(cString: $0)) }

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let chosen else {
    print("PORTOLAN_PROBE is one of", Probe.all.map(\.name).joined(separator: ", "))
    exit(2)
  }
  chosen.run([UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}
