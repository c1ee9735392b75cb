import PortolanDocuments
import PortolanGraphics
import PortolanInterchange

/// Data of one coordinate system beside data of another.
extension Document {
  /// The notices about adding data to this document.
  func notices(of data: ImportedData) -> [String] {
    let notice = (try? fitSystem(of: data))?.notice
    return (notice.map { [$0] } ?? []) + data.notices
  }

  /// The system that data is converted into before it is added; `nil` if it fits, or if nothing
  /// converts it.
  func target(of data: ImportedData) -> CoordinateSystem? {
    let (mine, theirs) = (metadata.coordinateSystem, data.coordinateSystem)
    if mine.authority.isEmpty || theirs.authority.isEmpty { return nil }
    return (try? fitSystem(of: data)) == nil ? mine : nil
  }

  /// The steps to add data to this document.
  ///
  /// - Returns: the system for the document to take over, if it does not have it yet, and the
  ///   notices for the user.
  /// - Throws: if the two systems are incompatible.
  func fitSystem(
    of data: ImportedData
  ) throws -> (system: CoordinateSystem?, notice: String?) {
    let mine = metadata.coordinateSystem
    let theirs = data.coordinateSystem
    if theirs == .crs84, data.layers.allSatisfy(\.extent.isEmpty) { return (nil, nil) }
    if extent.isEmpty {
      // Data in degrees under a name of its own stays so in a document of degrees.
      let isSame = mine == theirs || (data.isGeographic && !theirs.isDegrees)
      return (isSame ? nil : theirs, data.assumption)
    }
    if data.isSystemAssumed {
      let isSame = mine == theirs
      return (nil, isSame ? data.assumption : "no system is stated; taken as \(mine.name)")
    }
    guard metadata.isGeographic == data.isGeographic else {
      throw EditingError.systemsDiffer(data, mine)
    }
    if mine == theirs { return (nil, nil) }
    if data.isGeographic {
      return (nil, "longitudes and latitudes of \(theirs.name) beside those of \(mine.name)")
    }
    if theirs == .planar { return (nil, "no system is stated; taken as \(mine.name)") }
    if mine == .planar { return (theirs, "the document's coordinates are taken as \(theirs.name)") }
    throw EditingError.systemsDiffer(data, mine)
  }
}

extension Document {
  /// Adds imported layers on top, with new names and numbers; returns the highest one.
  ///
  /// - Throws: if its coordinate system does not fit the document's.
  mutating func add(_ data: ImportedData) throws -> LayerID? {
    if let system = try fitSystem(of: data).system { metadata.take(system) }
    add(data.layers, hasLooks: data.isStyled)
    let added = layers.suffix(data.layers.count)
    return (added.last { $0 is any FeatureHolding } ?? added.last)?.id
  }
}

extension EditingError {
  fileprivate static func systemsDiffer(
    _ data: ImportedData, _ mine: CoordinateSystem
  ) -> EditingError {
    let theirs = data.coordinateSystem
    let from = theirs == .planar ? "-s_srs ITS-SYSTEM " : ""
    let wanted = mine.isDegrees ? "EPSG:4326" : mine.name
    let way =
      mine == .planar
      ? "open it by itself"
      : theirs.authority.isEmpty
        ? "say which system it is: import --crs EPSG:CODE"
        : "convert it first, as with ogr2ogr \(from)-t_srs \(wanted)"
    return EditingError(
      .unsupported,
      "\(data.path) is not added: its coordinates are \(theirs.words), those of the document are "
        + "\(mine.words): \(way)")
  }
}

extension ImportedData {
  /// Converts the layers into another coordinate system.
  ///
  /// - Throws: if nothing converts them.
  mutating func convert(
    into system: CoordinateSystem, _ progress: World.Progress
  ) throws(Failure) {
    do {
      let reprojection = try Reprojection(from: coordinateSystem, to: system)
      for index in layers.indices {
        let part = progress.part(index, of: layers.count)
        layers[index] = try reprojection.layer(layers[index]) { try part.report($0) }
      }
    } catch {
      throw error as? Failure ?? Failure(.unsupported, subject: path, what: "\(error)")
    }
    let note = "converted from \(coordinateSystem.name) into \(system.name)"
    if let notice = coordinateSystem.notice { notices.removeAll { $0 == notice } }
    notices.append(note)
    warnings.append(note)
    coordinateSystem = system
    isGeographic = system.isDegrees
  }
}
