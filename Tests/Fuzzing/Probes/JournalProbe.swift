import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping

/// Reads a journal, makes its edits again and goes on behind them.
func probeJournal(_ bytes: [UInt8]) {
  check(bytes)
  // Checksums hide what stands behind nearly every change: with right ones it is seen, too.
  check(mended(bytes))
}

private func check(_ bytes: [UInt8]) {
  guard let journal = try? Journal(bytes) else { return }
  expect(journal.soundCount <= bytes.count, "more is sound than there is")
  expect(journal.isTorn == (journal.soundCount < bytes.count), "torn, and nothing behind")
  checkCuts(journal, bytes)
  checkEnd(journal, bytes)
  let opened = journal.base.flatMap { try? DocumentFile.open($0) }
  let base = opened?.document ?? Document()
  let replay = JournalReplay(journal, base: base)
  expect(
    (replay.problem == nil) == (replay.recordCount == journal.records.count),
    "edits are missing, and nobody says so")
  guard let saved = try? DocumentFile.bytes(of: replay.history.value) else {
    // Parts that nobody knows may be damaged in what a journal begins with, and in its steps.
    let couldBefore =
      opened?.damage == nil && base.newerVersion == nil && replay.recordCount == 0
    return expect(!couldBefore, "what was recovered cannot be saved")
  }
  expect((try? DocumentFile.open(saved)) != nil, "what was recovered and saved cannot be opened")
  // The edits that were taken in lead to the same when there are no others.
  guard replay.problem != nil else { return }
  let end = replay.recordCount == 0 ? 0 : journal.records[replay.recordCount - 1].payload.upperBound
  guard let prefix = try? Journal(Array(bytes[..<end])) else { return }
  let again = JournalReplay(prefix, base: base)
  expect(again.problem == nil, "edits that fitted no longer do: \(again.problem ?? "")")
  // A kept part without a number gets another one each time, so the bytes may differ.
  let count = (try? DocumentFile.bytes(of: again.history.value))?.count ?? 0
  expect(abs(count - saved.count) <= 16, "a part of a journal leads elsewhere")
}

/// A journal that is cut has the edits before the cut.
private func checkCuts(_ journal: Journal, _ bytes: [UInt8]) {
  for count in [journal.soundCount, journal.soundCount - 1, journal.soundCount / 2] where count > 0
  {
    guard let cut = try? Journal(Array(bytes[..<count])) else {
      expect(count < journal.soundCount, "the sound part of a journal is none")
      continue
    }
    let whole = journal.records.filter { $0.payload.upperBound <= count }
    expect(cut.records == whole, "a cut journal has other edits")
  }
}

/// What is appended to a journal that was left stands behind all that is sound.
private func checkEnd(_ journal: Journal, _ bytes: [UInt8]) {
  let files = MemoryFileSystem(files: ["/journal": bytes])
  do {
    guard var (file, _) = try JournalFile.adopt("/journal", in: files) else {
      return expect(false, "nobody writes a journal, and it is in use")
    }
    file.resume(journal)
    try file.appendSaving()
    let longer = try Journal(files.read("/journal", limit: .max))
    expect(longer.records == journal.records, "edits were lost by appending")
    expect(longer.endsSaving && !longer.isTorn, "what was appended is not there")
  } catch {
    expect(false, "a journal cannot be gone on with: \(error)")
  }
}

/// The records of a journal with checksums and sequence numbers that are right.
private func mended(_ bytes: [UInt8]) -> [UInt8] {
  var mended = JournalRecord.preamble
  var rest = bytes.dropFirst(JournalRecord.preambleCount)
  var sequence: UInt64 = 0
  while rest.count >= JournalRecord.headCount {
    let head = Array(rest.prefix(JournalRecord.headCount))
    let length = (0..<4).reduce(0) { $0 | Int(head[$1]) << (8 * $1) }
    let kinds = JournalRecord.Kind.allCases
    let payload = rest.dropFirst(JournalRecord.headCount).prefix(length)
    mended += JournalRecord.bytes(
      sequence == 0 ? .head : kinds[Int(head[16]) % kinds.count],
      JournalRecord.Coding(rawValue: head[17] % 3) ?? .plain, sequence: sequence,
      payload: Array(payload))
    rest = rest.dropFirst(JournalRecord.headCount + payload.count)
    sequence += 1
  }
  return mended
}
