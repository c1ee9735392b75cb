import Glibc
import PortolanCBaseMap
import PortolanEditing
import PortolanFiles

/// What the world is told at the start: the time, this process, the state folder, the base map.
enum SystemFacts {
  /// The words of the command line; bytes that are not UTF-8 as in `FilePath`.
  static var arguments: [String] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
      .compactMap { $0.map { text($0) } }
  }

  /// The configuration of files and of the environment.
  static var settings: Settings { Settings(reading: RealFileSystem(), environment: variable) }

  static func tell(_ options: inout World.Options, _ settings: Settings) {
    options.settings = settings
    options.versionsBytesMax = settings.versionsBytesMax
    options.state = StateFolder(environment: variable)
    options.finerBasePaths = DataFolders.paths(of: BaseMaps.finerName, environment: variable)
    options.process = Int(getpid())
    options.now = now
    options.clock = clock
    options.base = BuiltInBase(bytes: baseMap)
    options.runProgram = { (words) throws(ProgramOutput.Refusal) in try ProgramOutput.of(words) }
  }

  static func variable(_ name: String) -> String? { getenv(name).map { text($0) } }

  /// The archive of the built-in base map, a part of the program's own file.
  @Sendable private static func baseMap() -> [UInt8] {
    var count = 0
    let bytes = portolan_base_map(&count)
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private static func text(_ bytes: UnsafePointer<CChar>) -> String {
    FilePath.text(of: UnsafeRawBufferPointer(start: bytes, count: strlen(bytes)))
  }

  /// Seconds since 1970.
  @Sendable private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The time of day; with the date if that is another day.
  @Sendable private static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e15 else { return "" }
    func parts(_ seconds: Double) -> tm {
      var time = time_t(seconds)
      var parts = tm()
      // A time beyond all calendars leaves zeros.
      _ = localtime_r(&time, &parts)
      return parts
    }
    func padded(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
    let (then, today) = (parts(seconds), parts(now()))
    let text = padded(then.tm_hour) + ":" + padded(then.tm_min)
    if then.tm_yday == today.tm_yday, then.tm_year == today.tm_year { return text }
    return "\(Int(then.tm_year) + 1900)-\(padded(then.tm_mon + 1))-\(padded(then.tm_mday)) \(text)"
  }
}
