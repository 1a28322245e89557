// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "EchoServer",
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2")
    ],
    targets: [
        .executableTarget(
            name: "EchoServer",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v5]
)
