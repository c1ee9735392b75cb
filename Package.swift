// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is built in the same strict dialect.
let dialect: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A library target on its floor: it may import only what is listed, and the list only points down.
func floor(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: dialect)
}

/// The tests of one target.
func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name)] + dependencies,
    exclude: exclude, swiftSettings: dialect)
}

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "portolan",
  products: [
    .library(name: "Archiving", targets: ["Archiving", "PropertyLists"]),
    .executable(name: "portolan", targets: ["portolan"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    // Floor 0
    floor("PropertyLists", ["CSystem"]),
    floor("Graphics"),
    floor("Terminals"),
    floor("Files", ["CSystem"]),
    .systemLibrary(name: "CNCurses"),
    .target(name: "CSystem"),
    // Floor 1
    floor("Archiving", ["PropertyLists", "CSystem"]),
    floor("Rendering", ["Graphics", "Terminals"]),
    floor("CursesTerminal", ["Terminals", "CNCurses", "CSystem"]),
    // Floor 2
    floor("Documents", ["Archiving", "PropertyLists", "Graphics"]),
    // Floor 3
    floor(
      "Interchange",
      ["Documents", "Archiving", "PropertyLists", "Graphics", "Files", "Terminals"]),
    floor("Keeping", ["Documents", "Archiving", "Files"]),
    // Floor 4
    floor(
      "Editing",
      [
        "Interchange", "Keeping", "Documents", "Rendering", "Graphics", "Terminals", "Files",
        argumentParser,
      ]),
    // Floor 5
    .executableTarget(
      name: "portolan",
      dependencies: [
        "Editing", "Interchange", "Keeping", "CursesTerminal", "Terminals", "Files", "CSystem",
        argumentParser,
      ],
      exclude: ["Samples"],
      swiftSettings: dialect),
    // Measurements; never part of a test.
    .executableTarget(
      name: "portolan-bench",
      dependencies: [
        "Editing", "Interchange", "Keeping", "Documents", "Rendering", "Graphics", "Terminals",
        "Files", "Archiving", "PropertyLists",
      ],
      path: "Sources/Benchmarks", swiftSettings: dialect),
    // Tests mirror the targets.
    tests("PropertyLists"),
    tests("Graphics"),
    tests("Terminals"),
    tests("Files"),
    tests("Archiving", ["PropertyLists"]),
    tests("Rendering", ["Graphics", "Terminals"], exclude: ["Goldens"]),
    tests("Documents", ["Archiving", "PropertyLists", "Graphics"]),
    tests("Interchange", ["Keeping", "Documents", "Archiving", "Graphics", "Files"]),
    tests("Keeping", ["Documents", "Graphics", "Files"]),
    // A program that shows what its terminal sends, for the tests of the real terminal.
    .executableTarget(
      name: "terminal-probe", dependencies: ["CursesTerminal", "Terminals"],
      path: "Tests/TerminalProbe", swiftSettings: dialect),
    tests("CursesTerminal", ["Terminals", "terminal-probe"]),
    .testTarget(name: "ArchitectureTests", swiftSettings: dialect),
    .testTarget(
      name: "EndToEndTests", dependencies: ["portolan"], exclude: ["release.sh"],
      swiftSettings: dialect),
    .testTarget(name: "PortolanTests", dependencies: ["portolan"], swiftSettings: dialect),
    tests(
      "Editing",
      ["Interchange", "Keeping", "Documents", "Rendering", "Graphics", "Terminals", "Files"],
      exclude: ["Scenarios", "Screens/Goldens"]),
    // What tests and fuzzers do with the bytes of a file, reader by reader.
    .target(
      name: "Probes",
      dependencies: [
        "Interchange", "Keeping", "Documents", "Archiving", "PropertyLists", "Files",
      ],
      path: "Tests/Fuzzing/Probes", swiftSettings: dialect),
    .executableTarget(
      name: "hostile-judge", dependencies: ["Probes"], path: "Tests/Fuzzing/Judge",
      swiftSettings: dialect),
    .testTarget(
      name: "FuzzingTests",
      dependencies: [
        "Probes", "hostile-judge", "Interchange", "Keeping", "Documents", "Archiving",
        "PropertyLists", "Graphics", "Files",
      ],
      path: "Tests/Fuzzing/Tests", swiftSettings: dialect),
  ]
)

// Built with `--sanitize fuzzer` only, which brings the main function; see Docs/fuzzing.md.
if Context.environment["PORTOLAN_FUZZING"] != nil {
  package.targets.append(
    .executableTarget(
      name: "portolan-fuzz", dependencies: ["Probes"], path: "Tests/Fuzzing/Fuzzer",
      swiftSettings: dialect))
}
