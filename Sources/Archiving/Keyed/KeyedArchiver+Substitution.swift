// Objects that others take the place of, by their own wish or the delegate's.
extension KeyedArchiver {
  /// The object encoded in place of another, and the identity that it has then.
  typealias Substitute = (final: (any Coding)?, token: Replacement.Token?)

  /// The object encoded in place of another.
  @inline(never)
  func substitute<Object: Coding>(for object: Object, _ index: Int) throws -> Substitute {
    try checkOpen()
    // A message may hold both a copy of an object and a reference to it.
    let identity = classes[index].isObject && kind != .port ? object as AnyObject : nil
    if let identity, let known = replacements[ObjectIdentifier(identity)] {
      return (known.final, known.token)
    }
    do {
      var final: (any Coding)? = object
      var token: Replacement.Token?
      if let port = self as? PortArchiver {
        (final, token) = try port.replacement(for: object)
      } else if classes[index].isSubstituting, let substituting = object as? any SubstitutingCoding
      {
        final = try substituting.replacementObject(for: self)
      }
      if let delegate {
        if let candidate = final { final = try delegate.archiver(self, willEncode: candidate) }
        if isOther(final, than: object) {
          delegate.archiver(self, willReplace: object, with: final)
        }
        token = nil
      }
      if let identity {
        let replacement = Replacement(original: identity, final: final)
        replacements[ObjectIdentifier(identity)] = replacement
        token = replacement.token
      }
      return (final, token)
    } catch {
      throw failed(error)
    }
  }

  /// The class under which an object that is no plain one is archived; `nil` when it is not
  /// archived at all; throws when it refuses.
  @inline(never)
  func recordIndex<Object: Coding>(of object: Object, _ index: Int) throws -> Int? {
    if classes[index].isRestricted,
      var error = ArchiveError.refusal(of: type(of: object), by: self, kind)
    {
      error.path = path("")
      throw failed(error)
    }
    if let fault = classes[index].nameFault {
      throw failed(ArchiveError(.misuse, path: path(""), fault))
    }
    if kind == .port, let object = object as? any PortCoding {
      return classIndex(of: object.classForPortCoder)
    }
    guard classes[index].isClassSubstituting, let member = object as? any ClassSubstitutingCoding
    else { return index }
    return member.classForCoder(of: kind).map { classIndex(of: $0) }
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
