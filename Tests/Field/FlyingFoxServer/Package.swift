// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "FlyingFoxServer",
    dependencies: [
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1")
    ],
    targets: [
        .executableTarget(
            name: "FlyingFoxServer",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox")
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v5]
)
