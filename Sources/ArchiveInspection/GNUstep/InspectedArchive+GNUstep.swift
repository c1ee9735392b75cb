/// GNUstep archives in which it is not known where objects end.
extension InspectedArchive {
  /// Two archives that can be compared: where the ends of objects are not known in one of them,
  /// they are not used in the other.
  static func alike(
    _ first: InspectedArchive, _ second: InspectedArchive
  ) -> (InspectedArchive, InspectedArchive) {
    if (first.unresolved == nil) == (second.unresolved == nil) { return (first, second) }
    return (first.flat, second.flat)
  }

  private var flat: InspectedArchive {
    guard case .items(let archive, _) = source, unresolved == nil,
      var flat = try? GNUstepSurvey.flat(archive, because: "the other archive is not resolved")
    else { return self }
    flat.limits = limits
    return flat
  }
}
