/// How the entries of a bookmark are called, and the bits of its flags.
enum BookmarkKeys {
  /// The name of an entry; numbers that are not known are written in hexadecimal digits.
  static func name(_ key: UInt32) -> String {
    switch key {
    case 0x1003: "url"
    case 0x1004: "path"
    case 0x1005: "fileIDs"
    case 0x1010: "fileFlags"
    case 0x1020: "fileName"
    case 0x1030: "fileID"
    case 0x1040: "creationDate"
    case 0x2000: "volumes"
    case 0x2002: "volumePath"
    case 0x2005: "volumeURL"
    case 0x2010: "volumeName"
    case 0x2011: "volumeUUID"
    case 0x2012: "volumeSize"
    case 0x2013: "volumeCreationDate"
    case 0x2020: "volumeFlags"
    case 0x2030: "isRootVolume"
    case 0x2040: "diskImage"
    case 0x2050: "mountPoint"
    case 0xC001: "folderIndex"
    case 0xC011: "userName"
    case 0xC012: "userID"
    case 0xD001: "isFileReference"
    case 0xD010: "creationOptions"
    case 0xE003: "urlLengths"
    case 0xF017: "displayName"
    case 0xF020: "iconData"
    case 0xF021: "icon"
    case 0xF022: "typeBinding"
    case bookmarkDate: "bookmarkCreationDate"
    case 0xF080: "sandboxReadWrite"
    case 0xF081: "sandboxReadOnly"
    case 0xFE00: "alias"
    default: "0x" + String(key, radix: 16)
    }
  }

  /// Seconds since 2001 as a number.
  static let bookmarkDate: UInt32 = 0xF030

  /// The names of the flags of a file or a volume, by their bits; `nil` for other entries.
  static func flags(_ key: UInt32) -> [Int: String]? {
    switch key {
    case 0x1010: fileFlags
    case 0x2020: volumeFlags
    default: nil
    }
  }

  private static let fileFlags: [Int: String] = [
    0: "regularFile", 1: "directory", 2: "symbolicLink", 3: "volume", 4: "package",
    5: "systemImmutable", 6: "userImmutable", 7: "hidden", 8: "hiddenExtension", 9: "application",
    10: "compressed", 11: "canSetHiddenExtension", 12: "readable", 13: "writable",
    14: "executable", 15: "aliasFile", 16: "mountTrigger",
  ]

  private static let volumeFlags: [Int: String] = [
    0: "local", 1: "automount", 2: "dontBrowse", 3: "readOnly", 4: "quarantined", 5: "ejectable",
    6: "removable", 7: "internal", 8: "external", 9: "diskImage", 10: "fileVault",
    11: "localDiskMirror", 12: "iPod", 13: "iDisk", 14: "cd", 15: "dvd", 16: "deviceFileSystem",
    32: "persistentIDs", 33: "searchFS", 34: "exchange", 36: "symbolicLinks", 37: "denyModes",
    38: "copyFile", 39: "readDirAttr", 40: "journaling", 41: "rename", 42: "fastStatFS",
    43: "caseSensitiveNames", 44: "casePreservedNames", 45: "fLock", 46: "noRootDirectoryTimes",
    47: "extendedSecurity", 48: "filesOf2TB", 49: "hardLinks", 50: "mandatoryLocks",
    51: "pathFromID", 53: "isJournaling", 54: "sparseFiles", 55: "zeroRuns", 56: "volumeSizes",
    57: "remoteEvents", 58: "hiddenFiles", 59: "compression", 60: "objectIDsOf64Bits",
  ]
}
