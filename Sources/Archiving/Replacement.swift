/// What is written in the place of an instance of a class.
struct Replacement {
  /// Held so that no other object takes its address.
  let original: AnyObject
  /// What is written; `nil` for nothing.
  let final: (any Coding)?
  /// The identity of the original, for a value that has none of its own; else `nil`.
  let token: Token?

  /// An identity and nothing else.
  final class Token {}

  init(original: AnyObject, final: (any Coding)?) {
    self.original = original
    self.final = final
    let lacksIdentity =
      final.map { !(type(of: $0) is AnyObject.Type) && !($0 is any IdentifiedCoding) } ?? false
    token = lacksIdentity ? Token() : nil
  }
}

/// An object was decoded and then replaced by nothing: the reader finds none.
///
/// Thrown by the steps that make an object, and caught by those that hand it out.
struct ReplacedByNothing: Error {}

/// Throws any error but the one that says that an object was replaced by nothing.
@inline(never)
func passNothing(_ error: any Error) throws {
  if !(error is ReplacedByNothing) { throw error }
}

/// What `make` gives; `nil` when it was replaced by nothing.
@inline(__always)
func unlessNothing<Value>(_ make: () throws -> Value?) throws -> Value? {
  do {
    return try make()
  } catch is ReplacedByNothing {
    return nil
  }
}
