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

/// The flags of the editor's targets. The compiler keeps no function bodies for other modules, which
/// would not inline declarations of package access anyway, and takes a third less time. SwiftPM
/// refuses unsafe flags in targets of library products.
let application: [SwiftSetting] =
  dialect + [.unsafeFlags(["-disable-cmo"], .when(configuration: .release))]

/// A target of the library products on its floor: it imports only the listed targets, all of lower
/// floors.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: folder(name), swiftSettings: dialect)
}

/// A target of the editor alone on its floor, with the same rule.
func floor(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: folder(name), swiftSettings: application)
}

/// The folder of a module: what is no library product has `Portolan` before its folder's name, for
/// SwiftPM refuses two packages that both have a target called `Files`.
func folder(_ module: String) -> String {
  "Sources/" + module.trimmingPrefix("Portolan")
}

/// Tests are compiled quickly, even where what they test is optimised: file by file, which takes
/// less time than a module as a whole, and all processors.
let testing: [SwiftSetting] =
  dialect + [
    .unsafeFlags(
      ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"],
      .when(configuration: .release))
  ]

/// The tests of one target.
func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: [.byName(name: name), "PortolanTestSupport"] + dependencies,
    path: "Tests/\(name.trimmingPrefix("Portolan"))Tests", exclude: exclude, swiftSettings: testing)
}

/// Only the editor parses commands: a package without the trait `Editor` does not fetch the parser.
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Editor"]))

let package = Package(
  name: "portolan",
  // What the standard library's `Mutex` needs. The editor runs on Linux only.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "PropertyLists", targets: ["PropertyLists"]),
    .library(name: "Archiving", targets: ["Archiving", "PropertyLists"]),
    .library(name: "ArchivingFoundation", targets: ["ArchivingFoundation"]),
    .library(name: "ArchiveInspection", targets: ["ArchiveInspection"]),
    // Linux only.
    .library(name: "Ports", targets: ["Ports"]),
    .executable(name: "portolan", targets: ["portolan"]),
  ],
  traits: [
    .trait(name: "Editor", description: "The map editor, with the parser of its commands."),
    .default(enabledTraits: ["Editor"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    // Floor 0
    library("PropertyLists", ["PortolanMemory", "PortolanTexts", "PortolanCMemory"]),
    floor("PortolanGraphics"),
    floor("PortolanExpressions"),
    floor("PortolanTerminals", ["PortolanTexts"]),
    floor("PortolanFiles", ["PortolanCSystem"]),
    .systemLibrary(name: "PortolanCNCurses", path: folder("PortolanCNCurses")),
    .target(name: "PortolanCSystem", path: folder("PortolanCSystem")),
    .target(name: "PortolanCMemory", path: folder("PortolanCMemory")),
    .target(name: "PortolanCSockets", path: folder("PortolanCSockets")),
    // Its rows are public so that they are inlined; declarations of package access are not.
    library("PortolanMemory", ["PortolanCMemory"]),
    library("PortolanTexts"),
    // The bytes of the built-in base map; make.py makes them.
    .target(
      name: "PortolanCBaseMap", path: folder("PortolanCBaseMap"),
      exclude: ["base.doc", "make.py"]),
    // Finds cairo and Pango when a picture needs them: no build needs anything of them.
    .target(name: "PortolanCCairo", path: folder("PortolanCCairo")),
    // Finds SQLite when a database is read or written, PROJ when coordinates are converted, and
    // GEOS when shapes are made of others.
    .target(name: "PortolanCGEOS", path: folder("PortolanCGEOS")),
    .target(name: "PortolanCSQLite", path: folder("PortolanCSQLite")),
    .target(name: "PortolanCProj", path: folder("PortolanCProj")),
    // Floor 1
    floor("PortolanDatabases", ["PortolanCSQLite"]),
    floor("PortolanProjections", ["PortolanCProj", "PortolanGraphics"]),
    floor("PortolanGeometries", ["PortolanCGEOS", "PortolanGraphics"]),
    library("Archiving", ["PropertyLists", "PortolanMemory", "PortolanCMemory"]),
    floor("PortolanRendering", ["PortolanGraphics", "PortolanTerminals", "PortolanTexts"]),
    floor("PortolanCartography", ["PortolanGraphics"]),
    floor("PortolanCairo", ["PortolanGraphics", "PortolanCCairo"]),
    floor(
      "PortolanCursesTerminal",
      ["PortolanTexts", "PortolanTerminals", "PortolanCNCurses", "PortolanCSystem"]),
    // Floor 2
    library("ArchivingFoundation", ["Archiving", "PropertyLists"]),
    floor(
      "PortolanDocuments",
      [
        "Archiving", "PropertyLists", "PortolanCartography", "PortolanGraphics",
        "PortolanTerminals", "PortolanTexts", "PortolanExpressions",
      ]),
    library("ArchiveInspection", ["Archiving", "PropertyLists", "PortolanTexts"]),
    library("Ports", ["Archiving", "PortolanCSockets"]),
    // Floor 3
    floor(
      "PortolanInterchange",
      [
        "PortolanDocuments", "Archiving", "PropertyLists", "PortolanGraphics", "PortolanFiles",
        "PortolanTerminals", "PortolanDatabases", "PortolanProjections", "PortolanExpressions",
      ]),
    floor(
      "PortolanKeeping", ["PortolanDocuments", "Archiving", "PropertyLists", "PortolanFiles"]),
    // Floor 4
    floor(
      "PortolanPrinting",
      [
        "PortolanInterchange", "PortolanDocuments", "PortolanRendering", "PortolanCairo",
        "PortolanGraphics", "PortolanTerminals", "PortolanTexts",
      ]),
    floor(
      "PortolanChecking",
      [
        "PortolanInterchange", "PortolanDocuments", "PortolanGraphics", "PortolanExpressions",
        "PortolanFiles", "PortolanTerminals", "PortolanTexts",
      ]),
    floor(
      "PortolanComparing",
      [
        "PortolanInterchange", "PortolanDocuments", "PortolanGraphics", "PortolanFiles",
        "PortolanTerminals", "PortolanTexts", "PropertyLists",
      ]),
    // Floor 5
    floor(
      "PortolanEditing",
      [
        "ArchiveInspection", "PortolanPrinting", "PortolanChecking", "PortolanComparing",
        "PortolanInterchange",
        "PortolanKeeping", "PortolanDocuments", "PortolanCartography", "PortolanRendering",
        "PortolanCairo", "PortolanGraphics", "PortolanTerminals", "PortolanExpressions",
        "PortolanFiles", "PortolanTexts", "PropertyLists", "PortolanGeometries", "Archiving",
        "Ports", argumentParser,
      ]),
    // Floor 6
    .executableTarget(
      name: "portolan",
      dependencies: [
        "PortolanEditing", "PortolanInterchange", "PortolanKeeping", "PortolanCursesTerminal",
        "PortolanTerminals", "PortolanTexts", "PortolanFiles", "PortolanCSystem",
        "PortolanCBaseMap", argumentParser,
      ],
      exclude: ["Samples"],
      swiftSettings: application),
    // Measurements; never part of a test.
    .executableTarget(
      name: "portolan-bench",
      dependencies: [
        "PortolanEditing", "PortolanChecking", "PortolanComparing", "PortolanInterchange",
        "PortolanKeeping",
        "PortolanDocuments", "PortolanRendering", "PortolanGraphics", "PortolanExpressions",
        "PortolanTerminals",
        "PortolanFiles", "Archiving", "PropertyLists", "Ports",
        "PortolanCBaseMap",
      ],
      path: "Sources/Benchmarks", swiftSettings: application),
    // Tests mirror the targets.
    .target(name: "PortolanTestSupport", path: "Tests/Support", swiftSettings: testing),
    tests("PortolanMemory"),
    tests("PropertyLists"),
    tests("PortolanGraphics", exclude: ["Geodesics", "Relations/cases.py", "Relations/cases.tsv"]),
    tests("PortolanTerminals", ["PortolanTexts"]),
    tests(
      "PortolanExpressions",
      exclude: ["cases.json", "oracle.py", "oracle_places.py", "oracle_values.py"]),
    tests("PortolanFiles"),
    tests("PortolanCairo", ["PortolanGraphics"]),
    tests("PortolanGeometries", ["PortolanGraphics"], exclude: ["oracle.py"]),
    tests("Archiving", ["PropertyLists"]),
    tests("ArchivingFoundation", ["Archiving", "PropertyLists"]),
    tests("ArchiveInspection", ["Archiving", "PropertyLists"]),
    tests("Ports", ["Archiving"], exclude: ["ports.py"]),
    tests(
      "PortolanRendering", ["PortolanGraphics", "PortolanTerminals", "PortolanTexts"],
      exclude: ["Goldens"]),
    tests(
      "PortolanDocuments",
      ["Archiving", "PropertyLists", "PortolanCartography", "PortolanGraphics"]),
    tests(
      "PortolanInterchange",
      [
        "PortolanKeeping", "PortolanDocuments", "Archiving", "PortolanGraphics", "PortolanFiles",
        "PortolanDatabases", "PortolanProjections",
      ], exclude: ["Laws/Projections"]),
    tests(
      "PortolanComparing",
      ["PortolanInterchange", "PortolanDocuments", "PortolanGraphics", "PortolanFiles"]),
    tests("PortolanKeeping", ["PortolanDocuments", "PortolanGraphics", "PortolanFiles"]),
    tests(
      "PortolanChecking",
      [
        "PortolanInterchange", "PortolanCartography", "PortolanDocuments", "PortolanGraphics",
        "PortolanFiles",
      ]),
    // A program that shows what its terminal sends, for the tests of the real terminal.
    .executableTarget(
      name: "terminal-probe", dependencies: ["PortolanCursesTerminal", "PortolanTerminals"],
      path: "Tests/TerminalProbe", swiftSettings: testing),
    tests("PortolanCursesTerminal", ["PortolanTerminals", "terminal-probe"]),
    .testTarget(
      name: "PortolanArchitectureTests", path: "Tests/ArchitectureTests", swiftSettings: testing),
    .testTarget(
      name: "PortolanEndToEndTests", dependencies: ["portolan", "PortolanTestSupport"],
      path: "Tests/EndToEndTests",
      exclude: ["release.sh"],
      swiftSettings: testing),
    .testTarget(name: "PortolanTests", dependencies: ["portolan"], swiftSettings: testing),
    tests(
      "PortolanEditing",
      [
        "PortolanPrinting", "PortolanComparing", "PortolanInterchange", "PortolanKeeping",
        "PortolanDocuments",
        "PortolanRendering", "PortolanCairo", "PortolanGraphics", "PortolanTerminals",
        "PortolanTexts", "PortolanGeometries", "PortolanDatabases",
        "PortolanFiles",
      ],
      exclude: ["Scenarios", "Screens/Goldens"]),
    // What tests and fuzzers do with the bytes of a file, reader by reader.
    .target(
      name: "PortolanProbes",
      dependencies: [
        "ArchiveInspection", "PortolanInterchange", "PortolanKeeping", "PortolanDocuments",
        "Archiving", "PropertyLists", "PortolanFiles", "Ports",
      ],
      path: "Tests/Fuzzing/Probes", swiftSettings: testing),
    .executableTarget(
      name: "hostile-judge", dependencies: ["PortolanProbes"], path: "Tests/Fuzzing/Judge",
      swiftSettings: testing),
    .testTarget(
      name: "PortolanFuzzingTests",
      dependencies: [
        "PortolanProbes", "hostile-judge", "PortolanInterchange", "PortolanKeeping",
        "PortolanDocuments", "ArchiveInspection", "Archiving",
        "PropertyLists", "PortolanGraphics", "PortolanFiles", "PortolanTestSupport",
      ],
      path: "Tests/Fuzzing/Tests", swiftSettings: testing),
  ]
)

// Built with `--sanitize fuzzer` only, which brings the main function; see Docs/fuzzing.md.
if Context.environment["PORTOLAN_FUZZING"] != nil {
  package.targets.append(
    .executableTarget(
      name: "portolan-fuzz", dependencies: ["PortolanProbes"], path: "Tests/Fuzzing/Fuzzer",
      swiftSettings: testing))
}
