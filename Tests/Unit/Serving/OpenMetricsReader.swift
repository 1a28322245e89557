/// Reads the text format of OpenMetrics 1.0 and refuses whatever the format does not permit of what is used here.
struct OpenMetricsReader {
    struct Sample: Equatable {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    struct Family {
        var name: String
        var type = ""
        var unit = ""
        var help = ""
        var samples: [Sample] = []
    }

    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    private(set) var families: [Family] = []

    func samples(_ name: String) -> [Sample] { families.flatMap(\.samples).filter { $0.name == name } }

    init(_ text: String) throws {
        guard text.hasSuffix("\n# EOF\n") || text == "# EOF\n" else { throw Fault(description: "no # EOF at the end") }
        for line in text.dropLast("# EOF\n".count).split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            try line.hasPrefix("#") ? readDescription(line) : readSample(line)
        }
        try families.forEach(Self.check)
        guard Set(families.map(\.name)).count == families.count else {
            throw Fault(description: "a family comes twice")
        }
    }

    private mutating func readDescription(_ line: Substring) throws {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 4, words[0] == "#", Self.isName(words[2]) else { throw Fault(description: "\(line)") }
        if words[2] != families.last?.name { families.append(Family(name: words[2])) }
        guard families[families.count - 1].samples.isEmpty else {
            throw Fault(description: "a description behind its samples: \(line)")
        }
        switch words[1] {
        case "TYPE" where families[families.count - 1].type.isEmpty: families[families.count - 1].type = words[3]
        case "UNIT" where families[families.count - 1].unit.isEmpty: families[families.count - 1].unit = words[3]
        case "HELP" where families[families.count - 1].help.isEmpty:
            families[families.count - 1].help = try Self.unescaped(words[3])
        default: throw Fault(description: "\(line)")
        }
    }

    private mutating func readSample(_ line: Substring) throws {
        var rest = line[...]
        let name = String(rest.prefix { $0 != "{" && $0 != " " })
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let key = String(rest.prefix { $0 != "=" })
                rest = rest.dropFirst(key.count)
                guard Self.isName(key), !key.contains(":"), rest.hasPrefix("=\"") else {
                    throw Fault(description: "\(line)")
                }
                rest = rest.dropFirst(2)
                let value = try Self.quoted(&rest)
                guard labels.updateValue(value, forKey: key) == nil else { throw Fault(description: "\(line)") }
                if rest.first == "," {
                    rest = rest.dropFirst()
                } else if rest.first != "}" {
                    throw Fault(description: "\(line)")
                }
            }
            rest = rest.dropFirst()
        }
        guard Self.isName(name), rest.first == " ", let value = Double(rest.dropFirst()), let family = families.last,
            name.hasPrefix(family.name)
        else { throw Fault(description: "\(line)") }
        families[families.count - 1].samples.append(Sample(name: name, labels: labels, value: value))
    }

    /// Up to the mark that ends it, which is read too.
    private static func quoted(_ rest: inout Substring) throws -> String {
        var raw = ""
        while let character = rest.unicodeScalars.first, character != "\"" {
            raw.unicodeScalars.append(character)
            rest = rest.unicodeScalars.dropFirst().isEmpty ? "" : Substring(rest.unicodeScalars.dropFirst())
            guard character == "\\", let escaped = rest.unicodeScalars.first else { continue }
            raw.unicodeScalars.append(escaped)
            rest = Substring(rest.unicodeScalars.dropFirst())
        }
        guard rest.unicodeScalars.first == "\"" else { throw Fault(description: "a value does not end: \(raw)") }
        rest = Substring(rest.unicodeScalars.dropFirst())
        return try unescaped(raw)
    }

    private static func unescaped(_ raw: String) throws -> String {
        var result = ""
        var scalars = raw.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            guard scalar == "\\" else {
                guard scalar.properties.generalCategory != .control else {
                    throw Fault(description: "control in \(raw)")
                }
                result.unicodeScalars.append(scalar)
                continue
            }
            switch scalars.popFirst() {
            case "\\": result += "\\"
            case "\"": result += "\""
            case "n": result += "\n"
            default: throw Fault(description: "no such escape: \(raw)")
            }
        }
        return result
    }

    private static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: #/[a-zA-Z_:][a-zA-Z0-9_:]*/#) != nil
    }

    private static func check(_ family: Family) throws {
        guard !family.type.isEmpty, !family.help.isEmpty else {
            throw Fault(description: "\(family.name) is not described")
        }
        guard family.unit.isEmpty || family.name.hasSuffix("_" + family.unit) else {
            throw Fault(description: "\(family.name) does not end with its unit \(family.unit)")
        }
        let suffixes: Set =
            switch family.type {
            case "gauge": [""]
            case "counter": ["_total"]
            case "histogram": ["_bucket", "_sum", "_count"]
            default: throw Fault(description: "\(family.name) is of type \(family.type)")
            }
        guard Set(family.samples.map { String($0.name.dropFirst(family.name.count)) }).isSubset(of: suffixes),
            Set(family.samples.map { "\($0.name)\($0.labels.sorted { $0.key < $1.key })" }).count
                == family.samples.count
        else { throw Fault(description: "\(family.name) has samples that are not of its type, or twice") }
        if family.type == "histogram" { try checkHistogram(family) }
        guard family.type == "gauge" || family.samples.allSatisfy({ $0.value >= 0 }) else {
            throw Fault(description: "\(family.name) is negative")
        }
    }

    private static func checkHistogram(_ family: Family) throws {
        func rest(_ labels: [String: String]) -> [String: String] { labels.filter { $0.key != "le" } }
        for (labels, samples) in Dictionary(grouping: family.samples, by: { rest($0.labels) }) {
            let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
            let bounds = buckets.compactMap { $0.labels["le"] == "+Inf" ? .infinity : Double($0.labels["le"] ?? "") }
            let count = samples.first { $0.name.hasSuffix("_count") }
            guard bounds.count == buckets.count, bounds == bounds.sorted(), bounds.last == .infinity,
                buckets.map(\.value) == buckets.map(\.value).sorted(), let count, count.value == buckets.last?.value,
                samples.contains(where: { $0.name.hasSuffix("_sum") })
            else { throw Fault(description: "\(family.name) \(labels) is no histogram") }
        }
    }
}
