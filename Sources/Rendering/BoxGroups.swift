import Synchronization

/// Boxes by number in groups of neighbours: finds those that may meet another box without a look at
/// each of them.
struct BoxGroups: Sendable {
  private static let groupSize = 16
  /// Of fewer boxes each is looked at.
  private static let countLeast = 64

  /// The boxes and their numbers, group by group, so that a look at a group's boxes is one at
  /// neighbours in memory; empty boxes are left out.
  private let members: [Member]
  /// Where each group ends in `members`.
  private let ends: [Int32]
  /// What each group is in.
  private let outlines: [WorldBox]
  /// The number of the boxes, with the empty ones.
  private let count: Int

  private struct Member {
    let box: WorldBox
    let number: Int32
  }

  /// - Complexity: O(n)
  init(count: Int, box: (_ number: Int) -> WorldBox) {
    self.count = count
    guard count >= Self.countLeast, let found = Self.groups(count, box) else {
      (members, ends, outlines) = ([], [], [])
      return
    }
    (members, ends, outlines) = found
  }

  /// The boxes by the square of a grid that the middle of each is in.
  private static func groups(
    _ count: Int, _ box: (Int) -> WorldBox
  ) -> (members: [Member], ends: [Int32], outlines: [WorldBox])? {
    var outline = WorldBox.empty
    for number in 0..<count { outline.formUnion(box(number)) }
    guard !outline.isEmpty, count < Int(Int32.max) else { return nil }
    let side = max(1, Int(Double(count / groupSize).squareRoot()))
    func step(_ low: Int32, _ high: Int32, _ first: Int32, _ width: Int64) -> Int {
      let away = (Int64(low) + Int64(high)) / 2 - Int64(first)
      return Int(min(Int64(side) - 1, max(0, away * Int64(side) / (width + 1))))
    }
    // The empty ones come last.
    let squares = (0..<count).map { number -> Int32 in
      let box = box(number)
      guard !box.isEmpty else { return Int32(side * side) }
      let column = step(box.minX, box.maxX, outline.minX, outline.width)
      let row = step(box.minY, box.maxY, outline.minY, outline.height)
      return Int32(truncatingIfNeeded: row * side + column)
    }
    var ends = [Int32](repeating: 0, count: side * side + 1)
    for square in squares { ends[Int(square)] += 1 }
    for square in ends.indices.dropFirst() { ends[square] += ends[square - 1] }
    var members = [Member](repeating: Member(box: .empty, number: 0), count: count)
    var outlines = [WorldBox](repeating: .empty, count: side * side)
    var next = [0] + ends.dropLast()
    for number in 0..<count {
      let square = Int(squares[number])
      members[Int(next[square])] = Member(
        box: box(number), number: Int32(truncatingIfNeeded: number))
      next[square] += 1
      if square < outlines.count { outlines[square].formUnion(box(number)) }
    }
    return (members, ends, outlines)
  }

  /// The size for some boxes, in bytes.
  static func byteCount(of count: Int) -> Int { 20 * count + 20 * count / groupSize }

  /// The numbers of the boxes that meet one; `nil` where many may.
  ///
  /// - Complexity: O(groups and numbers looked at)
  func members(near box: WorldBox) -> Members? {
    guard !outlines.isEmpty else { return nil }
    var (groups, left) = ([Int](), count / 4)
    for (group, outline) in outlines.enumerated() where outline.intersects(box) {
      left -= numbers(ofGroup: group).count
      guard left >= 0 else { return nil }
      groups.append(group)
    }
    guard !groups.isEmpty else { return Members(words: []) }
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for group in groups {
      for member in members[numbers(ofGroup: group)] where member.box.intersects(box) {
        words[Int(member.number >> 6)] |= 1 << UInt64(member.number & 63)
      }
    }
    return Members(words: words)
  }

  private func numbers(ofGroup group: Int) -> Range<Int> {
    (group == 0 ? 0 : Int(ends[group - 1]))..<Int(ends[group])
  }

  /// The numbers of boxes that meet one, in their order.
  struct Members {
    /// A bit for each number; none where there are no members.
    fileprivate let words: [UInt64]

    /// The first one from a number on; the end where none is before it.
    @inline(__always)
    fileprivate func next(from number: Int, before end: Int) -> Int {
      guard !words.isEmpty, number < end else { return end }
      var word = number >> 6
      var bits = words[word] & .max << UInt64(number & 63)
      while bits == 0 {
        word &+= 1
        guard word << 6 < end else { return end }
        bits = words[word]
      }
      return min(word << 6 | bits.trailingZeroBitCount, end)
    }
  }
}

extension BoxGroups.Members? {
  /// The first member from a number on, or the number itself where there is no choice; the end
  /// where none is before it.
  @inline(__always)
  private func next(from number: Int, before end: Int) -> Int {
    guard let self else { return number }
    return self.next(from: number, before: end)
  }

  /// Calls a body with the members of a range, or with all of its numbers where there is no choice.
  @inline(__always)
  func each(in range: Range<Int>, _ body: (Int) -> Void) {
    // The body stands here once, for it is compiled as often as it stands here.
    var number = next(from: range.lowerBound, before: range.upperBound)
    while number < range.upperBound {
      body(number)
      number = next(from: number &+ 1, before: range.upperBound)
    }
  }
}

extension Mutex where Value == BoxGroups? {
  /// The members near a box of groups that are made when they are first asked for.
  func members(
    near box: WorldBox, of count: Int, _ boxOf: (_ number: Int) -> WorldBox
  ) -> BoxGroups.Members? {
    let groups = withLock { known in
      if let known { return known }
      let made = BoxGroups(count: count, box: boxOf)
      known = made
      return made
    }
    return groups.members(near: box)
  }
}
