// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Roster",
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .executableTarget(
            name: "Roster",
            dependencies: [
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "Yams", package: "Yams"),
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v5]
)
