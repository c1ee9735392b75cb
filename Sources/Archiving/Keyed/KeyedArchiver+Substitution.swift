// Objects that others take the place of, by their own wish or the delegate's.
extension KeyedArchiver {
  /// The replacement of an object that was asked for one.
  struct Replacement {
    /// Held so that no other object takes its address.
    var original: AnyObject
    var final: (any Coding)?
  }

  /// The object encoded in place of another; `nil` for none.
  @inline(never)
  func substitute<Object: Coding>(for object: Object, _ index: Int) throws -> (any Coding)? {
    try checkOpen()
    // A message may hold both a copy of an object and a reference to it.
    let identity = classes[index].isObject && kind != .port ? object as AnyObject : nil
    if let identity, let known = replacements[ObjectIdentifier(identity)] { return known.final }
    do {
      var final: (any Coding)? = object
      if let port = self as? PortArchiver {
        final = try port.replacement(for: object)
      } else if classes[index].isSubstituting, let substituting = object as? any SubstitutingCoding
      {
        final = try substituting.replacementObject(for: self)
      }
      if let delegate {
        if let candidate = final { final = try delegate.archiver(self, willEncode: candidate) }
        if isOther(final, than: object) {
          delegate.archiver(self, willReplace: object, with: final)
        }
      }
      if let identity {
        replacements[ObjectIdentifier(identity)] = Replacement(original: identity, final: final)
      }
      return final
    } catch {
      throw failed(error)
    }
  }

  /// The class under which an object that is no plain one is archived; throws when it refuses.
  @inline(never)
  func recordIndex<Object: Coding>(of object: Object, _ index: Int) throws -> Int {
    if classes[index].isRestricted,
      var error = ArchiveError.refusal(of: type(of: object), by: self, kind)
    {
      error.path = path("")
      throw failed(error)
    }
    if kind == .port, let object = object as? any PortCoding {
      return classIndex(of: object.classForPortCoder)
    }
    guard classes[index].isClassSubstituting, let member = object as? any ClassSubstitutingCoding
    else { return index }
    return classIndex(of: member.classForCoder)
  }

  @inline(never)
  func tellEncoded<Object: Coding>(_ object: Object) {
    delegate?.archiver(self, didEncode: object)
  }
}

/// Whether a replacement is another object: by identity, values by equality.
func isOther<Object: Coding>(_ new: (any Coding)?, than old: Object) -> Bool {
  guard let new, type(of: new) == type(of: old) else { return true }
  if type(of: old) is AnyObject.Type { return new as AnyObject !== old as AnyObject }
  guard let old = old as? any Equatable else { return false }
  return !isEqual(old, new)
}

private func isEqual<Value: Equatable>(_ first: Value, _ second: any Coding) -> Bool {
  (second as? Value) == first
}
