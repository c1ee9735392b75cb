internal import Glibc
internal import PortolanCSystem

/// Another program, run without a shell and within limits.
///
/// It works in a scratch folder, reads nothing from standard input, and has a process group of its
/// own, which is ended as a whole.
package struct ChildProcess: Sendable {
  /// What it may use.
  package struct Limits: Hashable, Sendable {
    /// Bytes of address space.
    package var memory: Int
    /// Bytes of one file.
    package var fileSize: Int
    /// Seconds of processor time.
    package var seconds: Int

    package init(memory: Int = 8 << 30, fileSize: Int = 4 << 30, seconds: Int = 1800) {
      (self.memory, self.fileSize, self.seconds) = (memory, fileSize, seconds)
    }
  }

  /// How it ended.
  package enum End: Hashable, Sendable {
    case exit(code: Int)
    case signal(Int)
  }

  /// What it left.
  package struct Result: Hashable, Sendable {
    package var end: End
    /// The first bytes of standard output, as many as `outputMax`.
    package var output: String
    /// The first 64 KiB of standard error.
    package var errors: String
  }

  /// Its file, absolute.
  package let path: String
  package var limits: Limits
  /// How many bytes of standard output are kept.
  package var outputMax = 1 << 20
  /// What is added to the environment.
  package var environment: [String: String]
  /// The names of further variables that it has of our environment.
  package var inherited: Set<String> = []

  /// The program of a name in the folders of `PATH` that are absolute; `nil` if there is none.
  package init?(named name: String, limits: Limits = Limits()) {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let found = folders.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
      .map { FilePath.join(String($0), name) }.first { access($0, X_OK) == 0 }
    guard let found else { return nil }
    (path, self.limits, environment) = (found, limits, [:])
  }

  /// What other programs need of the environment, and nothing else.
  private static let kept = [
    "PATH", "HOME", "LD_LIBRARY_PATH", "GDAL_DATA", "PROJ_DATA", "PROJ_LIB", "PYTHONPATH",
  ]

  /// The files of the two streams in the scratch folder.
  private static let (outputName, errorsName) = (".output", ".errors")

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - arguments: those after its name.
  ///   - progress: called some times a second with the output so far; the program is killed when
  ///     it throws, and `run` throws the same error.
  /// - Throws: `FileError` if it cannot be started, or the error of `progress`.
  package func run(
    _ arguments: [String], in folder: ScratchFolder, progress: (String) throws -> Void
  ) throws -> Result {
    let process = try start(arguments, in: folder)
    var status: Int32 = 0
    do {
      // Most conversions take a moment; later it is looked after less often.
      var wait: Int32 = 10
      while true {
        switch portolan_wait_process(process, wait, &status) {
        case 1:
          return Result(
            end: Self.end(status), output: text(Self.outputName, of: folder, outputMax),
            errors: text(Self.errorsName, of: folder, 1 << 16))
        case 0: break
        default: throw FileError(call: "waitpid", path: path, number: errno)
        }
        try progress(text(Self.outputName, of: folder, 4096))
        wait = min(wait * 2, 100)
      }
    } catch {
      portolan_kill_process(process)
      while portolan_wait_process(process, 1000, &status) == 0 {}
      throw error
    }
  }

  private func start(_ arguments: [String], in folder: ScratchFolder) throws(FileError) -> pid_t {
    var environment = self.environment
    for name in inherited.union(Self.kept) where environment[name] == nil {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    environment["TMPDIR"] = folder.path
    environment["LC_ALL"] = "C.UTF-8"
    let words = CTexts([path] + arguments)
    let variables = CTexts(environment.map { "\($0.key)=\($0.value)" }.sorted())
    let texts = CTexts([path, folder.path, Self.outputName, Self.errorsName])
    var process: pid_t = 0
    let number = words.withPointers { words in
      variables.withPointers { variables in
        texts.withPointers { texts in
          var program = portolan_program(
            path: texts[0], arguments: words.baseAddress, environment: variables.baseAddress,
            folder: texts[1], output: texts[2], errors: texts[3],
            memory: UInt64(clamping: limits.memory),
            file_size: UInt64(clamping: limits.fileSize), seconds: UInt64(clamping: limits.seconds))
          return portolan_start_process(&program, &process)
        }
      }
    }
    if number != 0 { throw FileError(call: "posix_spawn", path: path, number: number) }
    return process
  }

  private func text(_ name: String, of folder: ScratchFolder, _ most: Int) -> String {
    let source = FileSource(path: folder.file(name), in: RealFileSystem())
    return String(decoding: (try? source.bytes(in: 0..<most)) ?? [], as: UTF8.self)
  }

  private static func end(_ status: Int32) -> End {
    let signal = status & 0x7F
    return signal == 0 ? .exit(code: Int((status >> 8) & 0xFF)) : .signal(Int(signal))
  }

  /// Ends all programs under way, removes the scratch folders, and ends this program.
  package static func endProgram(code: Int32) -> Never { portolan_end_program(code) }
}

/// Texts as C takes lists of them.
private struct CTexts {
  private let bytes: [CChar]
  private let starts: [Int]

  /// The bytes of names of files are those of the names.
  init(_ texts: [String]) {
    var (bytes, starts): ([CChar], [Int]) = ([], [])
    for text in texts {
      starts.append(bytes.count)
      bytes += FilePath.bytes(of: text).filter { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    }
    (self.bytes, self.starts) = (bytes, starts)
  }

  /// The texts, with a null pointer at the end.
  func withPointers<Value>(
    _ body: (UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) -> Value
  ) -> Value {
    var bytes = self.bytes
    return bytes.withUnsafeMutableBufferPointer { buffer in
      let pointers = starts.map { place in buffer.baseAddress.map { $0 + place } } + [nil]
      return pointers.withUnsafeBufferPointer(body)
    }
  }
}
