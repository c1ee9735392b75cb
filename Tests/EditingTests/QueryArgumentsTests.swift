import ArgumentParser
import Testing

@testable import PortolanEditing

/// Which of the words behind `query` are files.
@Suite struct QueryArgumentsTests {
  @Test(arguments: [
    (["a.geojson", "pop > 1e6"], ["a.geojson"]),
    // Unfinished conditions are told as such, not looked for as files.
    (["a.geojson", "pop >"], ["a.geojson"]),
    (["a.geojson", "name = 'x"], ["a.geojson"]),
    (["a.geojson", "name matches '(a'"], ["a.geojson"]),
    (["a.geojson", "pop between 5"], ["a.geojson"]),
    (["a.geojson", "pop IN ()"], ["a.geojson"]),
    (["a.geojson", "pop +"], ["a.geojson"]),
    (["a.geojson", "name is nothing"], ["a.geojson"]),
    (["a.geojson", "towns of Asia"], ["a.geojson", "towns of Asia"]),
    (["a.geojson", "b c.geojson"], ["a.geojson", "b c.geojson"]),
    (["a.geojson", "x > y.geojson"], ["a.geojson", "x > y.geojson"]),
    (["my map"], ["my map"]),
    // Names of databases are none, though they read as comparisons.
    (["PG:dbname=roads"], ["PG:dbname=roads"]),
    (["PG:dbname=roads", "pop > 5"], ["PG:dbname=roads"]),
  ])
  func `A comparison behind a file is a condition`(words: [String], files: [String]) throws {
    #expect(try QueryLayers.parse(words).inputs == files)
  }
}
