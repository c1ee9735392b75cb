import PortolanMemory

/// The objects and values that an unarchiver made, by the numbers of its archive, so that each is
/// made once.
struct MadeObjects: ~Copyable {
  private var memos: GrowingRow<UInt32>
  /// Instances of classes, at the places that `Memo.object` names.
  private(set) var objects: ObjectRow
  /// Values that are needed again, at the places that `Memo.value` names.
  private(set) var values: [Any] = []
  /// Texts, at the places that `Memo.string` names.
  private(set) var strings: [String] = []
  /// Objects in whose places others were put.
  private var replaced: [AnyObject] = []
  /// The identities of values.
  private var identities = [Int: any ArchiveIdentity]()

  /// The objects that kept parts refer to; `nil` as long as nothing is kept.
  private var links: DecodedLinks?
  /// The numbers that kept parts reach.
  private var isReached = GrowingRow<Bool>()

  /// Nothing made yet of so many numbers.
  init(count: Int) {
    memos = GrowingRow(zeros: count)
    objects = ObjectRow()
  }

  /// The same with the first memory from a block; remove all before the block ends.
  init(count: Int, in block: inout RowBlock) {
    memos = GrowingRow(zeros: count, in: &block)
    objects = ObjectRow(capacity: 8, in: &block)
  }

  /// Lets go of all objects.
  mutating func removeAll() {
    objects.removeAll()
    replaced.removeAll()
  }

  /// How many numbers there are.
  var count: Int { memos.count }

  /// The state of a number: a `Memo` in one word.
  @inline(__always)
  subscript(number: Int) -> UInt32 {
    get { memos[number] }
    set { memos[number] = newValue }
  }

  /// Whether an object has to be made for a number: there is none, or a value that was not kept.
  @inline(__always)
  func isUnmade(_ number: Int) -> Bool {
    let memo = memos[number]
    return memo == Memo.none.word || memo == Memo.madeOnce.word
  }

  /// The instance that was made of a number, where it is of just this class.
  @inline(__always)
  func instance(_ number: Int, of type: Any.Type) -> Unmanaged<AnyObject>? {
    guard case .object(let place) = Memo(memos[number]) else { return nil }
    let object = objects.unmanaged(place)
    let isOfType = object._withUnsafeGuaranteedRef {
      ObjectIdentifier(Swift.type(of: $0)) == ObjectIdentifier(type)
    }
    return isOfType ? object : nil
  }

  // MARK: Noting

  /// Notes an instance of a class, which is alive.
  @inline(__always)
  mutating func remember(object: Unmanaged<AnyObject>, _ number: Int) {
    objects.append(object)
    memos[number] = Memo.object(objects.count &- 1).word
    if let links, isReached[number] {
      let object = WeakObject(object: object.takeUnretainedValue())
      links.note(UInt32(truncatingIfNeeded: number), .object(object))
    }
  }

  mutating func remember(object: AnyObject, _ number: Int) {
    remember(object: Unmanaged.passUnretained(object), number)
  }

  /// Notes that a value was made; the second time it is kept, so that no graph is expanded.
  @inline(never)
  mutating func remember<Value>(value: Value, _ number: Int, former: UInt32, isIdentified: Bool) {
    if isIdentified, let identified = value as? any IdentifiedCoding {
      remember(identity: identified.archiveIdentity, number)
    }
    if case .madeOnce = Memo(former) {
      values.append(value)
      memos[number] = Memo.value(values.count - 1).word
    } else {
      memos[number] = Memo.madeOnce.word
    }
  }

  /// Notes what stands for an object; `nil` for nothing.
  mutating func remember(final: (any Coding)?, _ number: Int) {
    if let final, type(of: final) is AnyObject.Type {
      return remember(object: final as AnyObject, number)
    }
    if let identified = final as? any IdentifiedCoding {
      remember(identity: identified.archiveIdentity, number)
    }
    values.append(final ?? ReplacedByNothing())
    memos[number] = Memo.value(values.count &- 1).word
  }

  /// Notes a text.
  mutating func remember(string: String, _ number: Int) {
    strings.append(string)
    memos[number] = Memo.string(strings.count &- 1).word
  }

  private mutating func remember(identity: any ArchiveIdentity, _ number: Int) {
    identities[number] = identity
    if let links, isReached[number] {
      links.note(UInt32(truncatingIfNeeded: number), .identity(identity))
    }
  }

  /// Puts another object in the place of one that was made.
  ///
  /// The former one stays alive: it may wait to be put into an array.
  mutating func replace(_ object: AnyObject, with other: AnyObject) {
    replaced.append(object)
    for place in 0..<objects.count where objects[place] === object { objects[place] = other }
  }

  // MARK: Kept parts

  /// The links of kept parts, of which there is one from now on.
  mutating func linksOfKeptParts() -> DecodedLinks {
    if let links { return links }
    let links = DecodedLinks()
    self.links = links
    isReached = GrowingRow(repeating: false, count: count)
    return links
  }

  /// Notes that a kept part reaches a number, which is linked when it is made later.
  ///
  /// - Returns: whether none had reached it.
  mutating func reach(_ number: Int) -> Bool {
    guard number < isReached.count, !isReached[number] else { return false }
    isReached[number] = true
    return true
  }

  /// Links kept parts with what was made of a number; returns whether it was made.
  func link(_ number: Int) -> Bool {
    if let identity = identities[number] {
      links?.note(UInt32(truncatingIfNeeded: number), .identity(identity))
    } else if number < count, case .object(let place) = Memo(memos[number]) {
      let object = WeakObject(object: objects[place])
      links?.note(UInt32(truncatingIfNeeded: number), .object(object))
    } else {
      return false
    }
    return true
  }
}
