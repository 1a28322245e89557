// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Letters",
    dependencies: [
        .package(url: "https://github.com/stencilproject/Stencil", exact: "0.15.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .executableTarget(
            name: "Letters",
            dependencies: [
                .product(name: "Stencil", package: "Stencil"),
                .product(name: "Yams", package: "Yams"),
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v5]
)
