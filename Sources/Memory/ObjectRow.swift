/// A row of objects, which it keeps alive, that is only ever appended to.
///
/// It costs less than an `Array` of objects, whose type is looked up at run time.
public struct ObjectRow: ~Copyable {
  // Each is retained by the row.
  @usableFromInline var objects = GrowingRow<Unmanaged<AnyObject>>()

  /// An empty row.
  @inlinable
  public init() {}

  /// An empty row with room for some objects in a block; remove all before the block ends.
  @inlinable
  public init(capacity: Int, in block: inout RowBlock) {
    objects = GrowingRow(capacity: capacity, in: &block)
  }

  deinit { for place in 0..<objects.count { objects[place].release() } }

  /// Lets go of all objects.
  @inlinable
  public mutating func removeAll() {
    for place in 0..<objects.count { objects[place].release() }
    objects.truncate(to: 0)
  }

  /// How many objects there are.
  @inlinable
  public var count: Int { objects.count }

  /// The object at a place below `count`.
  @inlinable
  public subscript(place: Int) -> AnyObject {
    get { objects[place].takeUnretainedValue() }
    set {
      let former = objects[place]
      objects[place] = Unmanaged.passRetained(newValue)
      former.release()
    }
  }

  /// The object at a place below `count`, not counted; the row keeps it alive.
  @inlinable
  @inline(__always)
  public func unmanaged(_ place: Int) -> Unmanaged<AnyObject> { objects[place] }

  /// Appends an object.
  @inlinable
  public mutating func append(_ object: AnyObject) {
    append(Unmanaged.passUnretained(object))
  }

  /// Appends an object that is alive, without counting it more than once.
  @inlinable
  public mutating func append(_ object: Unmanaged<AnyObject>) {
    objects.append(object.retain())
  }
}
