internal import PortolanCSQLite

/// A database of SQLite in memory: a file's bytes to be read, or a new one to be written.
///
/// SQLite opens no file: it reads bytes in memory, so reading cannot change a database. Its schema
/// is not trusted, and a query takes a bounded number of steps.
package final class Database {
  private let calls: portolan_sqlite
  private let handle: OpaquePointer
  private let budget: StepBudget
  /// The size of the file that it was read from; 0 of a new one.
  package private(set) var byteCount = 0

  /// SQLite's numbers.
  private enum Code {
    static let (ok, row, done, interrupted) = (Int32(0), Int32(100), Int32(101), Int32(9))
    static let openFlags: Int32 = 0x2 | 0x4 | 0x8000  // read and write, create, no mutexes
    static let (freeOnClose, readOnly) = (UInt32(1), UInt32(4))
  }

  /// A new, empty one.
  package convenience init() throws(DatabaseError) {
    try self.init(steps: .max)
  }

  /// One of the bytes of a file.
  ///
  /// - Throws: if SQLite is not there, or the bytes are no database.
  package convenience init(_ bytes: [UInt8]) throws(DatabaseError) {
    if let cut = Self.cut(bytes) { throw cut }
    // A step takes about 10 ns; a row with ten columns takes 30 steps.
    try self.init(steps: 40_000_000 + 200 * bytes.count)
    byteCount = bytes.count
    let size = UInt64(max(bytes.count, 1))
    guard let copy = calls.sqlite3_malloc64(size) else {
      throw .failed("out of memory")
    }
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { copy.copyMemory(from: start, byteCount: bytes.count) }
    }
    let memory = copy.assumingMemoryBound(to: UInt8.self)
    // A database in memory has no log beside it: the versions of its form say so.
    if bytes.count > 20, memory[18] == 2, memory[19] == 2 { (memory[18], memory[19]) = (1, 1) }
    let count = Int64(bytes.count)
    let code = calls.sqlite3_deserialize(
      handle, "main", memory, count, count, Code.freeOnClose | Code.readOnly)
    try check(code)
    try check(portolan_sqlite_harden(handle))
    // The longest text or value, the longest question, columns, and depth of expressions.
    let limits: [(Int32, Int)] = [
      (0, bytes.count + (1 << 20)), (1, 1 << 20), (2, 2000), (3, 200), (4, 50),
    ]
    for (name, most) in limits { _ = calls.sqlite3_limit(handle, name, Int32(clamping: most)) }
    try run("PRAGMA cell_size_check=ON")
    try run("PRAGMA query_only=ON")
    try run("SELECT count(*) FROM sqlite_master")
  }

  /// The error of a file that was cut: its beginning tells the size of its pages and, if the number
  /// of the last change stands behind it (at 92) as before it (at 24), how many there are.
  package static func cut(_ bytes: [UInt8]) -> DatabaseError? {
    func number(_ place: Int, _ width: Int) -> Int {
      bytes[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    if bytes.count < 100 { return .cut(at: bytes.count, of: nil) }
    let page = number(16, 2) == 1 ? 65536 : number(16, 2)
    let isStated = number(24, 4) == number(92, 4) && number(28, 4) > 0
    let size = isStated ? page * number(28, 4) : nil
    let isWhole = page < 512 || bytes.count >= size ?? 0 && bytes.count % page == 0
    return isWhole ? nil : .cut(at: bytes.count, of: size)
  }

  private init(steps: Int) throws(DatabaseError) {
    guard let calls = Self.calls() else { throw .missing }
    var handle: OpaquePointer?
    let code = calls.sqlite3_open_v2(":memory:", &handle, Code.openFlags, nil)
    guard code == Code.ok, let handle else {
      _ = calls.sqlite3_close_v2(handle)
      throw .failed("it cannot be opened (\(code))")
    }
    (self.calls, self.handle) = (calls, handle)
    budget = StepBudget(steps)
    if steps < .max {
      calls.sqlite3_progress_handler(
        handle, Int32(StepBudget.portion),
        { context in
          guard let context else { return 1 }
          return Unmanaged<StepBudget>.fromOpaque(context).takeUnretainedValue().spend() ? 0 : 1
        }, Unmanaged.passUnretained(budget).toOpaque())
    }
  }

  deinit { _ = calls.sqlite3_close_v2(handle) }

  /// The calls; `nil` if the library is missing.
  private static func calls() -> portolan_sqlite? {
    withUnsafeTemporaryAllocation(of: portolan_sqlite.self, capacity: 1) { room in
      guard let place = room.baseAddress, portolan_sqlite_find(place) == 1 else { return nil }
      return place.pointee
    }
  }

  /// Whether SQLite is there.
  package static var isFound: Bool { calls() != nil }

  // MARK: Questions

  /// Runs statements without answers.
  package func run(_ sql: String) throws(DatabaseError) {
    try check(calls.sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Calls `body` with each row of an answer; its values are valid during the call alone.
  ///
  /// - Parameter values: those of the question's parameters.
  /// - Throws: `DatabaseError`, or the error of `body`.
  package func rows(
    _ sql: String, _ values: [Double] = [], _ body: (borrowing Row) throws -> Void
  ) throws {
    let statement = try Statement(sql, in: self)
    for (index, value) in values.enumerated() { statement.bind(value, at: index) }
    while try statement.step() { try body(Row(statement)) }
  }

  /// The bytes of the file that it would be.
  package func bytes() throws(DatabaseError) -> [UInt8] {
    var count: Int64 = 0
    guard let memory = calls.sqlite3_serialize(handle, "main", &count, 0) else {
      throw .failed("out of memory")
    }
    defer { calls.sqlite3_free(memory) }
    return Array(UnsafeBufferPointer(start: memory, count: Int(count)))
  }

  /// A name as SQL writes it.
  package static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text as SQL writes it.
  package static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  private func check(_ code: Int32) throws(DatabaseError) {
    if code == Code.ok { return }
    if code == Code.interrupted { throw .tooLong }
    throw .failed(calls.sqlite3_errmsg(handle).map { String(cString: $0) } ?? "code \(code)")
  }

  // MARK: Statements

  /// A prepared statement; columns and parameters count from 0.
  package final class Statement {
    fileprivate let database: Database
    fileprivate let handle: OpaquePointer
    fileprivate var calls: portolan_sqlite { database.calls }
    package let columnCount: Int

    package init(_ sql: String, in database: Database) throws(DatabaseError) {
      var handle: OpaquePointer?
      let code = database.calls.sqlite3_prepare_v2(database.handle, sql, -1, &handle, nil)
      try database.check(code)
      guard let handle else { throw .failed("an empty statement") }
      (self.database, self.handle) = (database, handle)
      columnCount = Int(database.calls.sqlite3_column_count(handle))
    }

    deinit { _ = calls.sqlite3_finalize(handle) }

    /// Goes to the next row: false at the end.
    package func step() throws(DatabaseError) -> Bool {
      let code = calls.sqlite3_step(handle)
      if code == Code.row { return true }
      if code == Code.done { return false }
      try database.check(code)
      return false
    }

    /// Calls `body` with the row that it is at.
    package func withRow<Value>(_ body: (borrowing Row) throws -> Value) rethrows -> Value {
      try body(Row(self))
    }

    /// Runs it once with the bound values, and makes it ready for others.
    package func run() throws(DatabaseError) {
      while try step() {}
      _ = calls.sqlite3_reset(handle)
    }

    package func bind(_ value: Int, at index: Int) {
      _ = calls.sqlite3_bind_int64(handle, Int32(index + 1), Int64(value))
    }

    package func bind(_ value: Double, at index: Int) {
      _ = calls.sqlite3_bind_double(handle, Int32(index + 1), value)
    }

    package func bindNull(at index: Int) {
      _ = calls.sqlite3_bind_null(handle, Int32(index + 1))
    }

    /// What tells SQLite to copy bytes that are bound.
    private static var copied: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -1) }

    package func bind(text: ArraySlice<UInt8>, at index: Int) {
      text.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          // Without an address it would be null.
          _ = calls.sqlite3_bind_text(
            handle, Int32(index + 1), bytes.baseAddress ?? Self.noText,
            Int32(clamping: bytes.count),
            Self.copied)
        }
      }
    }

    private static var noText: UnsafePointer<CChar>? { UnsafePointer(bitPattern: 8) }

    package func bind(blob: [UInt8], at index: Int) {
      blob.withUnsafeBytes { bytes in
        _ = calls.sqlite3_bind_blob(
          handle, Int32(index + 1), bytes.baseAddress, Int32(clamping: bytes.count), Self.copied)
      }
    }
  }

  /// The types of values.
  package enum Kind: Int32, Sendable {
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case null = 5
  }

  /// One row of an answer.
  package struct Row: ~Copyable {
    private let statement: Statement

    fileprivate init(_ statement: Statement) { self.statement = statement }

    package var count: Int { statement.columnCount }

    package func kind(_ column: Int) -> Kind {
      Kind(rawValue: statement.calls.sqlite3_column_type(statement.handle, Int32(column))) ?? .null
    }

    package func integer(_ column: Int) -> Int {
      Int(statement.calls.sqlite3_column_int64(statement.handle, Int32(column)))
    }

    package func real(_ column: Int) -> Double {
      statement.calls.sqlite3_column_double(statement.handle, Int32(column))
    }

    /// Calls `body` with the bytes of a text or of a blob.
    package func withBytes<Value>(
      _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
      let (calls, handle, column) = (statement.calls, statement.handle, Int32(column))
      let isBlob = calls.sqlite3_column_type(handle, column) == Kind.blob.rawValue
      let start: UnsafeRawPointer? =
        isBlob
        ? calls.sqlite3_column_blob(handle, column)
        : calls.sqlite3_column_text(handle, column).map { UnsafeRawPointer($0) }
      let count = Int(calls.sqlite3_column_bytes(handle, column))
      return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// A text; bytes that are not UTF-8 become U+FFFD. `nil` for null.
    package func text(_ column: Int) -> String? {
      if kind(column) == .null { return nil }
      return withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }
  }
}

/// The steps that questions may still take.
private final class StepBudget {
  static let portion = 10_000
  private var left: Int

  init(_ steps: Int) { left = steps }

  /// Spends a portion; false when nothing is left.
  func spend() -> Bool {
    left -= Self.portion
    return left > 0
  }
}
