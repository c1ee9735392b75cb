import Dispatch
import PortolanDocuments
import PortolanFiles
import PropertyLists
import Synchronization

/// A version of a file, and the document in it.
struct DecodedVersion {
  var contents: DecodedFile
  var codec: any FileCodec
  /// `nil` of what is no file.
  var identity: FileIdentity?
  var mark: FileMark
}

/// Opening large documents.
extension DocumentStore {
  /// Makes a large document of its file, whose bytes are read into the document and are nowhere
  /// else in memory; the mark of the file is computed afterwards.
  ///
  /// - Parameter isLater: whether the coordinates of a very large one may stay in the file for now.
  /// - Returns: `nil` if the file has to be read into memory: to tell what is wrong, to keep a part
  ///   that is not understood, to lift an older version, or to find left work on it.
  /// - Throws: what `progress` throws, and nothing else.
  func readLarge(
    _ path: String, isLater: Bool = false, _ progress: (Double) throws -> Void
  ) throws(StoreError) -> DecodedVersion? {
    var limits = options.partialReading
    limits.countMin = limits.wholeCountMin
    guard path != "-", let file = StoredBytes(path, in: files, limits),
      let head = try? file.head(), let codec = try? options.codec(path, head[...]),
      codec is DocumentCodec, !hasLeftWork(on: path)
    else { return nil }
    let source = ReportedBytes(file)
    let needs = isLater && file.byteCount >= limits.laterCountMin ? DocumentNeeds.allLater : .all
    let document = source.reporting(to: progress) { DocumentArchive.open(source, for: needs) }
    if let end = source.end { throw StoreError(.decoding(end), path) }
    guard let document, (try? file.checkUnchanged()) != nil else { return nil }
    return DecodedVersion(
      contents: DecodedFile(document), codec: codec, identity: file.identity,
      mark: FileMark(of: file))
  }
}

/// The mark of a version of a file, which may still be computed.
final class FileMark: Sendable {
  private enum State {
    case due(StoredBytes)
    case found(ContentMark?)
  }

  private let state: Mutex<State>

  /// A known mark.
  init(_ mark: ContentMark) { state = Mutex(.found(mark)) }

  /// The mark of an open file, computed on another thread a moment later: who opened the file looks
  /// at it first.
  init(of file: StoredBytes) {
    state = Mutex(.due(file))
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(2)) {
      [weak self] in _ = self?.value
    }
  }

  /// `nil` if the file could not be read, or was written since it was opened: then it has to be
  /// taken for another version.
  var value: ContentMark? {
    state.withLock { state in
      switch state {
      case .found(let mark): return mark
      case .due(let file):
        let mark = Self.mark(of: file)
        state = .found(mark)
        return mark
      }
    }
  }

  /// Whether both are known and those of one content.
  func isSame(as other: FileMark) -> Bool { value.map { $0 == other.value } ?? false }

  /// A multiple of 32, as marks need it, that stays in the processor's cache.
  private static let pieceCount = 1 << 18

  private static func mark(of file: StoredBytes) -> ContentMark? {
    var found = ContentMark()
    let isRead = withUnsafeTemporaryAllocation(byteCount: pieceCount, alignment: 16) { room in
      var offset = 0
      while offset < file.byteCount {
        let count = min(pieceCount, file.byteCount - offset)
        let piece = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        guard (try? file.read(at: offset, into: piece)) != nil else { return false }
        found.add(UnsafeRawBufferPointer(piece))
        offset += count
      }
      return (try? file.checkUnchanged()) != nil
    }
    return isRead ? found : nil
  }
}

/// The bytes of a file, read by several threads of which the first reports how many they have read.
private final class ReportedBytes: SharedSource, @unchecked Sendable {
  private static let isReporter = TaskLocal<Bool>(wrappedValue: false)

  private let file: StoredBytes
  private let count = Atomic(0)
  private var progress: ((Double) throws -> Void)?
  /// The number of bytes to report next.
  private var next = 0
  /// What `progress` threw.
  private(set) var end: (any Error)?

  init(_ file: StoredBytes) { self.file = file }

  var byteCount: Int { file.byteCount }

  /// Reports on this thread while a body reads; pieces of the file that are read twice count twice.
  func reporting<Result>(
    to progress: (Double) throws -> Void, _ body: () -> Result
  ) -> Result {
    withoutActuallyEscaping(progress) { progress in
      self.progress = progress
      defer { self.progress = nil }
      return Self.isReporter.withValue(true) { body() }
    }
  }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
    try file.read(at: offset, into: target)
    let done = count.add(target.count, ordering: .relaxed).newValue
    guard Self.isReporter.get(), done >= next, let progress else { return }
    next = done + 1 << 20
    do {
      try progress(min(1, Double(done) / Double(max(1, byteCount))))
    } catch {
      end = error
      throw error
    }
  }

  /// Coordinates that are read later are read of a removed file, too: nothing else has them then.
  func checkUnchanged() throws { try file.checkContent() }
}
