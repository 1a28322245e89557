// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Notebook",
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")
    ],
    targets: [
        .executableTarget(
            name: "Notebook",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift")
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v5]
)
