import SwiftSyntax

/// What `#if` says of a build on Linux. What depends on the build's own flags is not known, and is read.
enum CompilationCondition {
    /// Modules of Apple's systems, which no build on Linux can import.
    private static let appleModules: Set<String> = [
        "AppKit", "AVFoundation", "CloudKit", "Cocoa", "Combine", "CoreBluetooth", "CoreData",
        "CoreGraphics", "CoreImage", "CoreLocation", "CoreML", "CoreMotion", "CryptoKit", "Darwin", "GameKit", "IOKit",
        "MapKit", "Metal", "MetalKit", "ObjectiveC", "OSLog", "PhotosUI", "QuartzCore", "RealityKit",
        "SceneKit", "SpriteKit", "StoreKit", "SwiftData", "SwiftUI", "UIKit", "WatchKit", "WidgetKit", "os",
    ]
    private static let linuxModules: Set<String> = ["Glibc", "Foundation", "Dispatch", "FoundationEssentials"]
    /// The compiler whose language is read.
    private static let version = [6, 3]

    /// The clauses of which one may be compiled.
    static func clauses(_ configuration: IfConfigDeclSyntax) -> [IfConfigClauseSyntax] {
        var result: [IfConfigClauseSyntax] = []
        for clause in configuration.clauses {
            let value = clause.condition.map { self.value($0, depth: 0) } ?? true
            if value != false { result.append(clause) }
            if value == true { break }
        }
        return result
    }

    /// Nil: not known.
    private static func value(_ condition: ExprSyntax, depth: Int) -> Bool? {
        guard depth < 16 else { return nil }
        switch condition.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr(let literal): return literal.literal.text == "true"
        case .prefixOperatorExpr(let negated) where negated.operator.text == "!":
            return value(negated.expression, depth: depth + 1).map { !$0 }
        case .tupleExpr(let tuple):
            guard tuple.elements.count == 1, let inner = tuple.elements.first else { return nil }
            return value(inner.expression, depth: depth + 1)
        case .sequenceExpr(let sequence): return value(Array(sequence.elements), depth: depth + 1)
        case .functionCallExpr(let call): return value(of: call)
        default: return nil
        }
    }

    /// `a && b || c`: operands with operators between them.
    private static func value(_ elements: [ExprSyntax], depth: Int) -> Bool? {
        let alternatives = elements.split { $0.trimmedDescription == "||" }.map { alternative in
            let parts = alternative.split { $0.trimmedDescription == "&&" }.map { part in
                part.count == 1 ? part.first.flatMap { value($0, depth: depth) } : nil
            }
            return parts.contains(false) ? false : parts.contains(nil) ? nil : true
        }
        return alternatives.contains(true) ? true : alternatives.contains(nil) ? nil : false
    }

    private static func value(of call: FunctionCallExprSyntax) -> Bool? {
        guard let argument = call.arguments.first?.expression.trimmedDescription else { return nil }
        switch call.calledExpression.trimmedDescription {
        case "os": return argument == "Linux"
        case "targetEnvironment": return false
        case "_runtime": return argument == "_Native"
        case "canImport":
            let module = argument.prefix { $0 != "." }
            return linuxModules.contains(String(module)) ? true : appleModules.contains(String(module)) ? false : nil
        case "compiler", "swift": return compares(argument)
        default: return nil
        }
    }

    /// `>=6.0`, `<6.0`.
    private static func compares(_ text: String) -> Bool? {
        let isLess = text.hasPrefix("<")
        guard isLess || text.hasPrefix(">=") else { return nil }
        let numbers = text.drop { !$0.isNumber }.split(separator: ".").map { Int($0) ?? 0 }
        return version.lexicographicallyPrecedes(numbers) == isLess
    }
}
