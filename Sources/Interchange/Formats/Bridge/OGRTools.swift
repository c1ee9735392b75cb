import PortolanFiles

/// GDAL's programs for vectors, `ogrinfo` and `ogr2ogr`, as processes of their own.
///
/// Only the drivers that a conversion needs are loaded; none of them reaches the network.
struct OGRTools {
  let folder: ScratchFolder
  private var info: ChildProcess
  private var converter: ChildProcess
  /// The drivers that are installed.
  private let installed: [String]

  static let missing =
    "ogr2ogr reads and writes it, and is not installed: apt-get install gdal-bin"

  /// - Parameter progress: throws to cancel.
  init(progress: (Double) throws -> Void) throws {
    guard let info = ChildProcess(named: "ogrinfo"), let converter = ChildProcess(named: "ogr2ogr")
    else { throw ToolError(.missing, Self.missing) }
    (self.info, self.converter) = (info, converter)
    folder = try ScratchFolder()
    let formats = try info.run(["--formats"], in: folder) { _ in try progress(0) }
    guard formats.end == .exit(code: 0) else { throw Self.refusal(formats, "ogrinfo") }
    // `  GPX -vector- (rw+v): GPX`
    installed = formats.output.split(separator: "\n").compactMap { line in
      guard let mark = line.firstRange(of: " -") else { return nil }
      let name = line[..<mark.lowerBound].drop { $0 == " " }
      return name.isEmpty ? nil : String(name)
    }
  }

  /// The first of some drivers that is installed.
  func driver(_ names: [String]) -> String? {
    names.first { name in installed.contains { $0.lowercased() == name.lowercased() } }
  }

  /// Loads some drivers only.
  mutating func use(drivers: [String]) {
    let kept = Set(drivers.map { $0.lowercased() })
    let skipped = installed.filter { !kept.contains($0.lowercased()) }
    let environment = [
      "GDAL_SKIP": skipped.joined(separator: ",") + ",", "GDAL_DRIVER_PATH": "disable",
      "GDAL_HTTP_PROXY": "127.0.0.1:1", "GDAL_HTTP_TIMEOUT": "1",
      "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".none", "GML_SKIP_RESOLVE_ELEMS": "ALL",
      "OGR_GEOJSON_MAX_OBJ_SIZE": "0", "GDAL_CACHEMAX": "64",
    ]
    info.environment = environment
    converter.environment = environment
  }

  /// A layer of a file.
  struct Layer {
    var name: String
    /// The kind of geometry in GDAL's words.
    var geometry = ""
    /// `nil` if GDAL does not tell.
    var count: Int?
    /// The coordinate system as well-known text; empty if none is stated.
    var system = ""
    /// The attributes that are plain text, neither lists nor JSON.
    var texts: Set<String> = []
  }

  /// The layers of a file in the folder.
  func layers(of name: String, progress: (Double) throws -> Void) throws -> [Layer] {
    let told = try info.run(["-ro", "-so", "-al", "-nomd", name], in: folder) { _ in
      try progress(0)
    }
    guard told.end == .exit(code: 0) else { throw Self.refusal(told, "ogrinfo") }
    return Self.layers(told.output)
  }

  /// Reads the answer of `ogrinfo -so -al`.
  static func layers(_ text: String) -> [Layer] {
    var layers: [Layer] = []
    var isSystem = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let name = line.after("Layer name: ") {
        layers.append(Layer(name: String(name)))
        isSystem = false
      } else if let last = layers.indices.last {
        if isSystem {
          isSystem = line.first == " " || layers[last].system.isEmpty
          if line.contains("(unknown)") { isSystem = false }
          if isSystem { layers[last].system += line + "\n" }
        } else if let kind = line.after("Geometry: ") {
          layers[last].geometry = String(kind)
        } else if let count = line.after("Feature Count: ") {
          layers[last].count = Int(count)
        } else if line.hasPrefix("Layer SRS WKT:") {
          isSystem = true
        } else if let type = line.ranges(of: ": String (").last {
          layers[last].texts.insert(String(line[..<type.lowerBound]))
        }
      }
    }
    return layers
  }

  /// Converts; a warning of ogr2ogr is a line of the answer.
  func convert(_ arguments: [String], progress: (Double) throws -> Void) throws -> [String] {
    let done = try converter.run(["-progress"] + arguments, in: folder) { output in
      let digits = output.split { !$0.isNumber }.last.flatMap { Double($0) } ?? 0
      try progress(min(digits / 100, 1))
    }
    guard done.end == .exit(code: 0) else { throw Self.refusal(done, "ogr2ogr") }
    return Array(Self.complaints(done.errors, "Warning ").prefix(5))
  }

  /// The lines of standard error that begin so, without the loading of drivers.
  private static func complaints(_ errors: String, _ word: String) -> [String] {
    let lines = errors.split(separator: "\n").filter {
      $0.hasPrefix(word) && !$0.contains("GDAL_SKIP") && !$0.contains("Progress turned off")
    }
    var seen = Set<Substring>()
    return lines.filter { seen.insert($0).inserted }.map { line in
      let text = line.firstRange(of: ": ").map { line[$0.upperBound...] } ?? line
      return String(text.prefix(300))
    }
  }

  private static func refusal(_ result: ChildProcess.Result, _ program: String) -> ToolError {
    let lines = complaints(result.errors, "ERROR ")
    // What follows from an error, or is told of every attribute, hides the cause.
    let causes = lines.filter { line in
      !["arbitrary field creation", "Unable to write feature", "Terminating translation"]
        .contains(where: line.contains)
    }
    let words = causes.first ?? lines.first ?? complaints(result.errors, "").first
    switch result.end {
    case .exit(let code):
      return ToolError(.refused, "\(program) refuses it: \(words ?? "exit code \(code)")")
    case .signal(24), .signal(25):
      return ToolError(.refused, "\(program) took more time or space than a conversion may")
    case .signal(let number):
      return ToolError(.refused, "\(program) was ended by signal \(number)")
    }
  }
}

extension Substring {
  /// What follows a word at the beginning.
  fileprivate func after(_ word: String) -> Substring? {
    hasPrefix(word) ? dropFirst(word.count) : nil
  }
}
