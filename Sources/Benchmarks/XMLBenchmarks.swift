import Archiving
import PropertyLists

/// Reading and writing the XML notation: graph A, 100,000 employees with shared managers, and
/// a list of real numbers and data.
struct XMLBenchmarks: BenchmarkSuite {
  let name = "xml"

  func run() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeObjects(BenchmarkEmployee.graph(100_000), forKey: "root")
    try measure("archive", BinaryPropertyList(archiver.finish()))

    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    var values = (0..<200_000).map { index in
      writer.addDouble(Double(mix(index) >> 11) / Double(1 << 53) * 360 - 180)
    }
    values.append(writer.addData([UInt8](repeating: 0x5A, count: 4_000_000)))
    writer.setArray(top, values)
    try measure("numbers and data", BinaryPropertyList(writer.finish(top: top)))
  }

  private func measure(_ what: String, _ list: BinaryPropertyList) throws {
    var text = try list.xml()
    var (reading, writing) = (Double.infinity, Double.infinity)
    let clock = ContinuousClock()
    for _ in 0..<5 {
      writing = min(writing, seconds(try clock.measure { text = try list.xml() }))
      reading = min(
        reading, seconds(try clock.measure { _ = try BinaryPropertyList(xml: text) }))
    }
    let size = Double(text.count) / 1e6
    print("xml \(what): \(Int(size)) MB, \(list.reader.count / 1_000_000) MB in binary")
    print("xml write \(what): \(Int(size / writing)) MB/s")
    print("xml read \(what): \(Int(size / reading)) MB/s")
  }

  private func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
