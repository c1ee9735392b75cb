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
  var mark: ContentMark
}

/// Opening large documents.
extension DocumentStore {
  /// Makes a large document of its file, whose bytes are read into the document and are nowhere
  /// else in memory; the mark of the file is computed on another thread meanwhile.
  ///
  /// - Returns: `nil` if the file has to be read into memory: to tell what is wrong, to keep a part
  ///   that is not understood, to lift an older version, or to find left work on it.
  /// - Throws: what `progress` throws, and nothing else.
  func readLarge(
    _ path: String, _ progress: (Double) throws -> Void
  ) throws(StoreError) -> DecodedVersion? {
    var limits = options.partialReading
    limits.countMin = limits.wholeCountMin
    guard path != "-", let file = StoredBytes(path, in: files, limits),
      let head = try? file.head(), let codec = try? options.codec(path, head[...]),
      codec is DocumentCodec, !hasLeftWork(on: path)
    else { return nil }
    let marked = Marked(file)
    let group = DispatchGroup()
    DispatchQueue.global(qos: .userInitiated).async(group: group) { marked.compute() }
    let source = ReportedBytes(file)
    let document = source.reporting(to: progress) { DocumentArchive.open(source, for: .all) }
    if document == nil { marked.isNeeded.store(false, ordering: .relaxed) }
    group.wait()
    if let end = source.end { throw StoreError(.decoding(end), path) }
    guard let document, let mark = marked.mark.withLock({ $0 }),
      (try? file.checkUnchanged()) != nil
    else { return nil }
    return DecodedVersion(
      contents: DecodedFile(document), codec: codec, identity: file.identity, mark: mark)
  }
}

/// The mark of a file, computed from its first byte to its last.
private final class Marked: Sendable {
  private let file: StoredBytes
  /// `nil` until it is computed, and if the file cannot be read.
  let mark = Mutex<ContentMark?>(nil)
  /// Whether somebody waits for it.
  let isNeeded = Atomic(true)

  /// A multiple of 32, as marks need it, that stays in the processor's cache.
  private static let pieceCount = 1 << 18

  init(_ file: StoredBytes) { self.file = file }

  func compute() {
    var found = ContentMark()
    let isRead = withUnsafeTemporaryAllocation(byteCount: Self.pieceCount, alignment: 16) { room in
      var offset = 0
      while offset < file.byteCount {
        guard isNeeded.load(ordering: .relaxed) else { return false }
        let count = min(Self.pieceCount, file.byteCount - offset)
        let piece = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        guard (try? file.read(at: offset, into: piece)) != nil else { return false }
        found.add(UnsafeRawBufferPointer(piece))
        offset += count
      }
      return true
    }
    if isRead { mark.withLock { $0 = found } }
  }
}

/// The bytes of a file, read by one thread that reports how many of them it has read.
private final class ReportedBytes: RandomAccessSource, @unchecked Sendable {
  private let file: StoredBytes
  private var progress: ((Double) throws -> Void)?
  private var count = 0
  /// The number of bytes to report next.
  private var next = 0
  /// What `progress` threw.
  private(set) var end: (any Error)?

  init(_ file: StoredBytes) { self.file = file }

  var byteCount: Int { file.byteCount }

  /// Reports while a body reads; pieces of the file that are read twice count twice.
  func reporting<Result>(
    to progress: (Double) throws -> Void, _ body: () -> Result
  ) -> Result {
    withoutActuallyEscaping(progress) { progress in
      self.progress = progress
      defer { self.progress = nil }
      return body()
    }
  }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
    try file.read(at: offset, into: target)
    count += target.count
    guard count >= next, let progress else { return }
    next = count + 1 << 20
    do {
      try progress(min(1, Double(count) / Double(max(1, byteCount))))
    } catch {
      end = error
      throw error
    }
  }

  func checkUnchanged() throws { try file.checkUnchanged() }
}
