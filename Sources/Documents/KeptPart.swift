/// A layer or a view of an unknown kind, kept as it was archived.
package protocol KeptPart {
  /// Its number in this session; 0 if its archive has none.
  var sessionNumber: UInt64 { get set }
}
