extension Archiver {
  func writeKept(_ object: UnknownObject) throws {
    throw fault(.misuse, "an object kept from a keyed archive cannot be written to a typedstream")
  }
}
