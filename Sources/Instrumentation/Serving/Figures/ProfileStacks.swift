import GameprofBasics

/// The stacks of a profile as locations, functions and mappings of pprof, each written once.
struct ProfileStacks {
    private struct Location {
        var id: UInt64
        /// 0: not known.
        var function: UInt64
        var isRuntimeSupport: Bool
    }

    private let frames: (UInt32) -> [UInt64]
    private let lookup: FunctionLookup
    private var mappings: [Int: UInt64] = [:]
    private var locations: [UInt64: Location] = [:]
    private var functions: [String: UInt64] = [:]
    private var stacks: [UInt32: [UInt64]] = [:]
    private var unknown: UInt64?
    private var locationCount: UInt64 = 0

    /// Writes the program as the first mapping. `frames`: the addresses of a stack's instructions, innermost first.
    init(frames: @escaping (UInt32) -> [UInt64], images: ProcessImages = .now(), into writer: inout PprofWriter) {
        self.frames = frames
        lookup = FunctionLookup(images)
        if let program = lookup.programMapping { _ = mapping(program, &writer) }
    }

    /// Ids of the locations of a stack, innermost first, without the functions of runtime and allocator at its inner end. Of a
    /// stack that is not known: one that says so.
    mutating func locations(of stack: UInt32, into writer: inout PprofWriter) -> [UInt64] {
        if let known = stacks[stack] { return known }
        let all = frames(stack).map { location($0, &writer) }
        let own = all.drop { $0.isRuntimeSupport }
        let ids = (own.isEmpty ? all[...] : own).map(\.id)
        let made = ids.isEmpty ? [unknownLocation(&writer)] : Array(ids)
        stacks[stack] = made
        return made
    }

    private mutating func mapping(_ index: Int, _ writer: inout PprofWriter) -> UInt64 {
        if let known = mappings[index] { return known }
        let id = UInt64(mappings.count + 1)
        mappings[index] = id
        let mapping = lookup.images.mappings[index]
        writer.write(
            mapping: id, file: mapping.path,
            placement: .init(
                start: mapping.start, end: mapping.end, offset: mapping.offset, buildID: lookup.buildID(of: index)))
        return id
    }

    private mutating func function(_ name: String, _ writer: inout PprofWriter) -> UInt64 {
        if let known = functions[name] { return known }
        let id = UInt64(functions.count + 1)
        functions[name] = id
        writer.write(function: id, name: name)
        return id
    }

    private mutating func location(_ address: UInt64, _ writer: inout PprofWriter) -> Location {
        if let known = locations[address] { return known }
        let index = lookup.images.index(of: address)
        let found = index.flatMap { lookup.function(at: address, mapping: $0) }
        let name = found?.name ?? Self.unnamed(address, in: index.map { lookup.images.mappings[$0] })
        let mapping = index.map { self.mapping($0, &writer) } ?? 0
        let function = self.function(name, &writer)
        locationCount += 1
        let made = Location(
            id: locationCount, function: function, isRuntimeSupport: found?.isRuntimeSupport ?? false)
        locations[address] = made
        writer.write(location: made.id, mapping: mapping, address: address, function: function)
        return made
    }

    /// `libfoo.so+0x1234`
    private static func unnamed(_ address: UInt64, in mapping: CodeMapping?) -> String {
        guard let mapping else { return "0x" + String(address, radix: 16) }
        let file = mapping.path.split(separator: "/").last.map(String.init) ?? mapping.path
        return "\(file)+0x" + String(address - mapping.start &+ mapping.offset, radix: 16)
    }

    private mutating func unknownLocation(_ writer: inout PprofWriter) -> UInt64 {
        if let unknown { return unknown }
        let function = self.function("(stack not known)", &writer)
        locationCount += 1
        writer.write(location: locationCount, mapping: 0, function: function)
        unknown = locationCount
        return locationCount
    }
}
