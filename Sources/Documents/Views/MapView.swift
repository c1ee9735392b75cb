package import Archiving
package import PortolanGraphics

/// A map at a magnification, with its legend and, conditionally, its overview.
package struct MapView: MapShowing {
  package let id: ViewID
  package var name: String
  /// The name of the shown map: the document's title unless set.
  package var mapName: String
  /// m = 2^z; at 1 the whole world is 256 dots wide.
  package var magnification: Double
  package var center: Coordinate
  package var projection: Projection
  package var legend: LegendView?
  /// The overview. The reference is conditional: it is archived only if the document holds that
  /// view anyway, in the pane that shows it, and decodes as none otherwise.
  package var auxiliaryView: ViewID? {
    didSet { keptAuxiliaryView = nil }
  }
  /// An overview of an unknown kind.
  private(set) var keptAuxiliaryView: UnknownView?
  /// Fields of the view that a newer program wrote.
  private var unread = UnreadFields()

  package init(
    id: ViewID, name: String, mapName: String, magnification: Double = 1,
    center: Coordinate = Coordinate(x: 0, y: 0), projection: Projection = .webMercator,
    legend: LegendView? = nil, auxiliaryView: ViewID? = nil
  ) {
    self.id = id
    self.name = name
    self.mapName = mapName
    self.magnification = magnification
    self.center = center
    self.projection = projection
    self.legend = legend
    self.auxiliaryView = auxiliaryView
  }

  package func copy(as id: ViewID, name: String) -> MapView {
    MapView(
      id: id, name: name, mapName: mapName, magnification: magnification, center: center,
      projection: projection, legend: legend)
  }

  package var showsLegend: Bool? {
    get { legend?.isShown }
    set { if let newValue { legend?.isShown = newValue } }
  }
}

extension MapView: IdentifiedCoding {
  package static let archivedClass = ArchivedClass(
    "PortolanMapView", superclass: ViewFields.archivedClass)

  package func encode(with coder: any EncodingCoder) throws {
    try ViewFields(id: id, name: name).encode(with: coder)
    try coder.encodeString(mapName, forKey: "mapName")
    let bounds = ZoomBounds.limits
    let magnification = min(max(magnification, bounds.lowerBound), bounds.upperBound)
    try coder.encodeDouble(magnification, forKey: "magnification")
    try coder.encodeDouble(center.x.isFinite ? center.x : 0, forKey: "centerX")
    try coder.encodeDouble(center.y.isFinite ? center.y : 0, forKey: "centerY")
    try coder.encodeString(projection.rawValue, forKey: "projection")
    try coder.encodeObject(legend, forKey: "legendView")
    if let keptAuxiliaryView {
      try coder.encodeObject(keptAuxiliaryView, forKey: "auxiliaryView")
    } else {
      try coder.encodeReference(auxiliaryView, forKey: "auxiliaryView")
    }
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let view = try ViewFields(coder: coder)
    id = view.id
    name = view.name
    mapName = try coder.decodeStringIfPresent(forKey: "mapName") ?? ""
    magnification = try coder.decodeDoubleIfPresent(forKey: "magnification") ?? 1
    guard ZoomBounds.limits.contains(magnification) else {
      throw coder.invalidValue("\(magnification) is out of range", forKey: "magnification")
    }
    center = Coordinate(
      x: try coder.decodeDoubleIfPresent(forKey: "centerX") ?? 0,
      y: try coder.decodeDoubleIfPresent(forKey: "centerY") ?? 0)
    guard center.x.isFinite && center.y.isFinite else {
      throw coder.invalidValue("a map has its middle at finite numbers", forKey: "centerX")
    }
    projection = try coder.decodeWord(
      Projection.self, default: .webMercator, forKey: "projection")
    legend = try coder.decodeObjectIfPresent(LegendView.self, forKey: "legendView")
    auxiliaryView = try coder.decodeIdentityIfPresent(
      ViewID.self, in: ViewKinds.classes, forKey: "auxiliaryView")
    if auxiliaryView == nil {
      keptAuxiliaryView =
        try coder.decodeObjectIfPresent(in: ViewKinds.classes, forKey: "auxiliaryView")
        as? UnknownView
    }
    unread = try coder.unreadFields()
  }
}
