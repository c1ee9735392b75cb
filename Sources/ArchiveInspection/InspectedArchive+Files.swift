import Archiving
public import PropertyLists

/// Archives in files of any size.
extension InspectedArchive {
  /// How much is read when an archive is opened.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Survey: Hashable, Sendable {
    /// All objects are gone through once; about forty bytes of each are kept.
    case whole
    /// Nothing: objects are read where they are looked at, and none is kept. `nodes` is empty; who
    /// refers to an object, and what nothing leads to, is not known. Only binary property lists and
    /// the keyed archives in them are opened so; other files are gone through.
    case none
  }

  /// Reads an archive in a file; only its visited parts are in memory.
  ///
  /// Binary property lists and the keyed archives in them are read in parts and never mapped; other
  /// kinds of archives are read whole. The file stays open as long as the value and its copies.
  ///
  ///     let archive = try InspectedArchive(path: "large.archive", survey: .none)
  ///     var options = TreeOptions()
  ///     options.elementCountMax = 10
  ///     try archive.write(.tree(options)) { print(String(decoding: $0, as: UTF8.self)) }
  ///
  /// - Throws: `InspectionError` as `init(_:limits:)`, and if the file cannot be read.
  public init(
    path: String, survey: Survey = .whole, limits: InspectionLimits = InspectionLimits()
  ) throws {
    let file: FileBytes
    do {
      file = try FileBytes(path: path)
    } catch {
      throw InspectionError(.unreadable, error.description)
    }
    try self.init(source: file, survey: survey, limits: limits)
  }

  /// Reads an archive in a source of your own, as `init(path:survey:limits:)` does.
  public init(
    source: some RandomAccessSource, survey: Survey = .whole,
    limits: InspectionLimits = InspectionLimits()
  ) throws {
    let reader = ByteReader(source)
    try Self.check(reader.count, limits)
    self = try Self(graphOf: reader, survey: survey)
    self.limits = limits
  }

  /// Reads an archive of any kind that is known, however long.
  package init(graphOf reader: ByteReader, survey: Survey) throws {
    do {
      if let list = try? BinaryPropertyList(reader) {
        var header = InspectionHeader(format: .propertyList, byteCount: reader.count)
        switch survey {
        case .whole: self = try PropertyListSurvey.archive(list, header)
        case .none:
          let entries = KeyedEntries(list).flatMap { entries in
            entries.top == nil || entries.objects == nil ? nil : entries
          }
          if let entries { header.note(entries) }
          let unsurveyed = UnsurveyedList(list, entries)
          header.notes.append(Self.unsurveyedNote)
          self.init(
            header: header, source: .list(list, containers: []), nodes: [], classes: [],
            top: unsurveyed.top, nodeOfNumber: [])
          self.unsurveyed = unsurveyed
        }
      } else {
        let bytes = reader.copyOfAll()
        try reader.checkSource()
        self = try Self(graphOf: bytes)
      }
      try reader.checkSource()
    } catch let error as InspectionError {
      throw error
    } catch {
      throw InspectionError(.unreadable, "\(error)")
    }
  }

  /// Throws `unreadable` if bytes of the file could not be read, or may have changed since it was
  /// opened; never for an archive in memory. The functions that write call it.
  public func checkSource() throws {
    do { try reader.checkSource() } catch {
      throw InspectionError(.unreadable, (error as? PropertyListError)?.description ?? "\(error)")
    }
  }

  static func check(_ byteCount: Int, _ limits: InspectionLimits) throws {
    guard byteCount <= limits.byteCountMax else {
      throw InspectionError(
        .unsupported,
        "has \(byteCount) bytes, more than byteCountMax allows: \(limits.byteCountMax)")
    }
  }

  private static let unsurveyedNote =
    "only the shown objects were read: uses and unreachable objects are not counted"

  /// Throws if nothing went through the archive.
  func requireSurvey() throws {
    guard unsurveyed != nil else { return }
    throw InspectionError(
      .usage, "this needs all objects: open the archive with a survey of the whole")
  }

  // MARK: Nodes

  /// A node.
  func record(of node: Int) -> InspectedNode {
    if let unsurveyed { return unsurveyed.record(of: node) }
    return nodes[node]
  }

  /// The object of a list that a node is.
  func start(of node: Int) -> PropertyListReference {
    if let unsurveyed { return unsurveyed.start(of: node) }
    return nodes[node].start
  }

  /// Behind the last node.
  var nodeEnd: Int { unsurveyed?.nodeEnd ?? nodes.count }

  /// Behind the last number of an object.
  var objectCount: Int { unsurveyed?.objectCount ?? nodeOfNumber.count }

  /// A value that cannot be read.
  func broken(_ reason: String) -> InspectedValue {
    unsurveyed?.note(reason)
    return .broken(reason)
  }
}
