/// The facts about a type that making an instance takes.
struct TypeTraits: BitwiseCopyable {
  var isObject = false
  var isAwaking = false
  var isIdentified = false
  /// Whether a list may have several types for its objects: it is a number or a collection.
  var isChosen = false

  init() {}

  /// - Parameter isSpecial: whether it is a `SpecialCoding`: most types are none.
  init(of type: (any Coding.Type)?, isSpecial: Bool) {
    isObject = type is AnyObject.Type
    isAwaking = isSpecial && type is any AwakingCoding.Type
    isIdentified = isSpecial && type is any IdentifiedCoding.Type
    isChosen = isSpecial && (type is any ListedCollection.Type || type is any ListedNumber.Type)
  }
}
