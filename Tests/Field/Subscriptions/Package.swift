// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Subscriptions",
    dependencies: [
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")
    ],
    targets: [
        .executableTarget(
            name: "Subscriptions",
            dependencies: [
                .product(name: "OpenCombine", package: "OpenCombine")
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v5]
)
