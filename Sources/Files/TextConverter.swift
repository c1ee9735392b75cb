internal import Glibc

/// Converts texts of an encoding that the system knows, such as `CP1251`, into another one.
package final class TextConverter {
  private let descriptor: iconv_t
  /// What the calls return after a failure.
  private static let failure = -1

  /// `nil` if the system does not know the encodings.
  package init?(from encoding: String, to other: String = "UTF-8") {
    guard let descriptor = iconv_open(other, encoding), Int(bitPattern: descriptor) != -1 else {
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { iconv_close(descriptor) }

  /// The text in the other encoding; `nil` if the bytes are none in this encoding.
  package func text(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    var input = bytes.map { CChar(bitPattern: $0) }
    // No encoding of the system makes more of one byte.
    var output = [CChar](repeating: 0, count: 6 * input.count + 8)
    var (inputLeft, outputLeft) = (input.count, output.count)
    let room = outputLeft
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var from = input.baseAddress
        var to = output.baseAddress
        // Back to the beginning, whatever the last text left behind.
        _ = iconv(descriptor, nil, nil, nil, nil)
        return iconv(descriptor, &from, &inputLeft, &to, &outputLeft) != Self.failure
          && iconv(descriptor, nil, nil, &to, &outputLeft) != Self.failure
      }
    }
    guard isWhole, inputLeft == 0 else { return nil }
    return output.prefix(room - outputLeft).map { UInt8(bitPattern: $0) }
  }
}
