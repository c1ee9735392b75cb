/// The number of an object in a binary property list: an index into its offset table.
public typealias PropertyListReference = UInt32
