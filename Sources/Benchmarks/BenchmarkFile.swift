import Glibc

/// The files that benchmarks read.
enum BenchmarkFile {
  /// The bytes of a file; `nil` if it cannot be opened.
  static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = max(0, ftell(file))
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, file)
    }
  }
}
