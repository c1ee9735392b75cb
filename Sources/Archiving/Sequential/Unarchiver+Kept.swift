extension Unarchiver {
  func keep(_ number: Int) throws -> UnknownObject {
    throw fault(.classNotAllowed, "kept")
  }
}
