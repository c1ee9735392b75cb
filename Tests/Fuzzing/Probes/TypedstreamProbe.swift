import Archiving

/// Reads a typedstream whole, and writes it again from its values.
func probeTypedstream(_ bytes: [UInt8]) {
  guard let stream = try? Typedstream(bytes) else { return }
  for number in 0..<min(stream.stringCount, 10_000) { _ = stream.text(ofString: number) }
  var work = bytes.count
  for index in stream.classes.indices.prefix(10_000) where work > 0 {
    work -= stream.chain(ofClass: index).count
  }
  for number in 0..<min(stream.objectCount, 10_000) {
    _ = stream.entry(number)
    _ = stream.range(ofObject: number)
  }
  _ = stream.version(forClassName: "NSString")
  for forms in [TypedstreamWriter.NumberForms.kept, .shortest] {
    guard let written = try? TypedstreamWriter.rewrite(stream, forms: forms) else {
      expect(false, "a stream that was read cannot be written")
      return
    }
    guard let again = try? Typedstream(written) else {
      expect(false, "a stream that was written cannot be read")
      return
    }
    expect(again.objectCount == stream.objectCount, "objects were lost")
    // A string that stands in the stream twice is written once.
    expect(again.stringCount <= stream.stringCount, "strings were added")
    expect(
      (try? TypedstreamWriter.rewrite(again, forms: forms)) == written, "not written the same again"
    )
  }
}
