internal import Glibc
internal import PortolanCSystem

extension FileError: CustomStringConvertible {
  /// One line: the path, the problem (with the call), the remedy.
  package var description: String {
    remedy.isEmpty ? "\(path): \(what)" : "\(path): \(what): \(remedy)"
  }

  /// Whether a file or a folder on its path does not exist.
  package var isNoSuchFile: Bool { problem == .system && number == ENOENT }

  /// Whether the reader of our output is gone.
  package var isBrokenPipe: Bool { problem == .system && number == EPIPE }

  /// The problem, without the path.
  package var what: String {
    switch problem {
    case .system, .interrupted: "\(call): \(FileError.text(of: number))"
    case .isDirectory: "is a folder, not a file"
    case .isPipe: "is a pipe, not a file"
    case .isSocket: "is a socket, not a file"
    case .isDevice: "is a device, not a file"
    case .tooLarge(let limit): "is larger than \(FileError.size(limit))"
    case .isReadOnly: "is read-only"
    case .changedMeanwhile: "was changed by another program"
    case .readBackDiffers: "read: what was written comes back different"
    case .exists: "exists already"
    }
  }

  /// The remedy for the user; empty if there is none.
  package var remedy: String {
    switch problem {
    case .system where call == "mkdtemp": "set TMPDIR to a folder in which you may write"
    case .system: systemRemedy
    case .isDirectory where FilePath.ending(of: path) == "gdb":
      "zip it, and name the zip: zip -r roads.gdb.zip roads.gdb"
    case .isDirectory: "name a file in it"
    case .isPipe, .isDevice: "give its data on standard input and - as the name"
    case .isSocket: "name a file"
    case .tooLarge: "split it, or take a part of it"
    case .isReadOnly: "allow writing (chmod u+w), or save under another name"
    case .changedMeanwhile: "save under another name, then compare"
    case .readBackDiffers: "do not trust this disk: save to another one"
    case .interrupted(let standby):
      "the new version is whole in \(standby): open the file again to finish the save"
    case .exists: "choose another name, or use --force to overwrite it"
    }
  }

  private var systemRemedy: String {
    switch number {
    case ENOENT: "check the name and that its folder exists"
    case EACCES, EPERM: "check the permissions of the file and its folder, or use another place"
    case ENOSPC: "free some space, or save to another disk"
    case EDQUOT: "delete something of yours there, or save to another disk"
    case EIO: "the disk reports a fault: save to another disk"
    case EROFS: "the disk is mounted read-only: save to another place"
    case EFBIG: "the system's limit for file sizes is too small (ulimit -f)"
    case EMFILE, ENFILE: "too many files are open (ulimit -n)"
    case ENAMETOOLONG: "use a shorter name"
    case ELOOP: "the symbolic links go round in a circle: name the file itself"
    case ENOTDIR: "a part of the path is a file: check the name"
    case ENOMEM: "not enough memory: close something, or raise the limit (ulimit -v)"
    case EBUSY, ETXTBSY: "another program uses it: close that first"
    default: ""
    }
  }

  private static func text(of number: Int32) -> String {
    String(cString: portolan_error_text(number))
  }

  private static func size(_ bytes: Int) -> String {
    if bytes >= 1 << 20, bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
    return "\(bytes) bytes"
  }
}
