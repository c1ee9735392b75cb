public import Archiving
public import Foundation
public import PropertyLists

// The text of an error where Foundation shows it: `localizedDescription` without these would be
// "The operation could not be completed".

extension ArchiveError: LocalizedError {
  /// The place and the failure in words.
  public var errorDescription: String? { description }
}

extension PropertyListError: LocalizedError {
  /// The failure in words, and the byte of the file.
  public var errorDescription: String? { description }
}

extension PortFailure: LocalizedError {
  /// The failure in the words of the other program.
  public var errorDescription: String? { reason }
}
