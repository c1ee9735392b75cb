import PortolanDocuments
import PortolanGraphics

/// The kept texts of a block that equal its columns.
///
/// The text of a feature or of its geometry is written instead of its values, so a document from
/// elsewhere could show one feature and export another. Each text is therefore read again, by the
/// reader that made the columns, and its values are compared with them. One reader reads the texts
/// of a block up to an invalid one.
struct KeptTexts {
  /// Rows whose feature text may be written.
  let features: Set<Int>
  /// Rows whose geometry text may be written.
  let geometries: Set<Int>

  /// - Complexity: O(texts), about as long as reading a file of their size.
  init(_ block: FeatureBlock) {
    features = Self.trusted(block.sourceFeatures, in: block, isWhole: true)
    geometries = Self.trusted(block.sourceGeometries, in: block, isWhole: false)
  }

  private static func trusted(
    _ texts: AttributeColumn?, in block: FeatureBlock, isWhole: Bool
  ) -> Set<Int> {
    guard let texts else { return [] }
    var trusted: Set<Int> = []
    texts.bytes.withUnsafeBufferPointer { bytes in
      DecimalPowers.doubles.withUnsafeBufferPointer { powers in
        var rows = (0..<block.rowCount).filter { texts.kind($0) != .missing }[...]
        while !rows.isEmpty, let scanner = JSONScanner(bytes, powers: powers) {
          var reader = GeoJSONReader(scanner: scanner)
          let read = reader.readKept(rows.lazy.map { texts.textRange($0) })
          var readRows = rows.prefix(read)
          for found in reader.builder.blocks {
            for (place, row) in zip(0..<found.rowCount, readRows)
            where block.says(row, theSameAs: found, place, isWhole: isWhole) {
              trusted.insert(row)
            }
            readRows = readRows.dropFirst(found.rowCount)
          }
          // After an invalid text the next one begins anew.
          rows = rows.dropFirst(read + 1)
        }
      }
    }
    return trusted
  }
}

extension GeoJSONReader {
  /// Reads features or geometries at these places until one of them is invalid.
  ///
  /// - Returns: the number of them; they are the rows of the builder's blocks.
  fileprivate mutating func readKept(_ places: some Sequence<Range<Int>>) -> Int {
    var read = 0
    for place in places {
      scanner.position = place.lowerBound
      scanner.count = place.upperBound
      guard (try? readItem()) != nil, scanner.position == place.upperBound else { break }
      read += 1
    }
    _ = builder.finish()
    return read
  }
}

extension FeatureBlock {
  /// Whether a row has the values of a row of another block; only its geometry, unless `isWhole`.
  fileprivate func says(
    _ row: Int, theSameAs other: FeatureBlock, _ place: Int, isWhole: Bool
  ) -> Bool {
    guard geometry.says(row, theSameAs: other.geometry, place),
      Self.haveSame(geometryForeignMembers, row, other.geometryForeignMembers, place)
    else { return false }
    let isBareText = other.shape(row: place).members.isEmpty
    guard isWhole else { return isBareText }
    return isBareText == shape(row: row).members.isEmpty
      && identifiers.says(row, theSameAs: other.identifiers, place)
      && Self.haveSame(attributes, row, other.attributes, place)
      && Self.haveSame(foreignMembers, row, other.foreignMembers, place)
  }

  /// Whether two rows have the same values under the same names.
  private static func haveSame(
    _ columns: [AttributeColumn], _ row: Int, _ others: [AttributeColumn], _ place: Int
  ) -> Bool {
    let present = columns.filter { $0.kind(row) != .missing }
    let otherPresent = others.filter { $0.kind(place) != .missing }
    guard present.count == otherPresent.count else { return false }
    var byName: [[UInt8]: AttributeColumn] = [:]
    for column in otherPresent { byName[Array(column.name.utf8)] = column }
    return present.allSatisfy { column in
      byName[Array(column.name.utf8)].map { column.says(row, theSameAs: $0, place) } ?? false
    }
  }
}

extension AttributeColumn {
  fileprivate func says(_ row: Int, theSameAs other: AttributeColumn, _ place: Int) -> Bool {
    kind(row) == other.kind(place)
      && bytes[textRange(row)].elementsEqual(other.bytes[other.textRange(place)])
  }
}

extension GeometryBlock {
  fileprivate func says(_ row: Int, theSameAs other: GeometryBlock, _ place: Int) -> Bool {
    let paths = paths(ofFeature: row)
    let otherPaths = other.paths(ofFeature: place)
    guard kinds[row] == other.kinds[place], paths.count == otherPaths.count else { return false }
    return zip(paths, otherPaths).allSatisfy { path, otherPath in
      let vertices = vertices(ofPath: path)
      let otherVertices = other.vertices(ofPath: otherPath)
      return pathRoles[path] == other.pathRoles[otherPath]
        && vertices.count == otherVertices.count
        && zip(vertices, otherVertices).allSatisfy { vertex, otherVertex in
          isSame(vertex, other, otherVertex)
        }
    }
  }

  private func isSame(_ vertex: Int, _ other: GeometryBlock, _ otherVertex: Int) -> Bool {
    for axis in 0...1 {
      let number = coordinates[2 * vertex + axis]
      if number.bitPattern != other.coordinates[2 * otherVertex + axis].bitPattern { return false }
    }
    let height = elevations.isEmpty ? .nan : elevations[vertex]
    let otherHeight = other.elevations.isEmpty ? .nan : other.elevations[otherVertex]
    return height.isNaN ? otherHeight.isNaN : height.bitPattern == otherHeight.bitPattern
  }
}
