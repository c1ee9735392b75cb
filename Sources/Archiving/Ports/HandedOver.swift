/// A value that goes from one thread to another, and is used by one at a time.
///
/// Vended objects belong to the thread or queue that their owner has chosen; the tables of a
/// connection only carry them there.
package struct HandedOver<Value>: @unchecked Sendable {
  /// The value, for the thread that it was meant for.
  package let value: Value

  /// Wraps a value for its way.
  package init(_ value: Value) { self.value = value }
}
