import CTraceFormat
import GameprofBasics
import GameprofTrace

/// What a search of a heap is to find beside what is lost.
struct HeapQuestions {
    /// Whether the graph of all live blocks is a part of the result.
    enum Graph { case always, whereSmall, never }

    /// An object whose path from a root is asked for.
    struct Object {
        var address: UInt64
        var cause: HeapTarget.Cause
        var label: String
    }

    /// Blocks that may be growth: instances of the class or memory without a type (0), made by one stack.
    struct Growing: Hashable {
        var metadata: UInt64
        var stack: StackID
    }

    var graph = Graph.whereSmall
    /// Patterns of types whose objects' paths are asked for.
    var patterns: [String] = []
    var objects: [Object] = []
    var growing: Set<Growing> = []
    /// Nothing but the paths is asked for.
    var seeksPathsAlone = false
    /// Nothing but counts of blocks is asked for: the memory proves nothing.
    var seeksCountsAlone = false
    /// The blocks are another malloc's than glibc's.
    var isOfOtherMalloc = false
    /// What tasks wait for is asked for; where it is not, a search of a small heap finds it too.
    var seeksTasks = false
    /// The snapshot's name, and what it was taken for.
    var name = ""
    var trigger = HeapBeginRecord.Trigger.onRequest
    /// That was copied.
    var process: UInt64 = 0

    var seeksPaths: Bool { !patterns.isEmpty || !objects.isEmpty || !growing.isEmpty }

    /// - Parameter flags: `GP_SEARCH_SEEKS_*`
    private mutating func note(_ flags: UInt32) {
        func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
        graph = has(GP_SEARCH_SEEKS_GRAPH) ? .always : has(GP_SEARCH_SEEKS_SMALL_GRAPH) ? .whereSmall : .never
        seeksPathsAlone = has(GP_SEARCH_SEEKS_PATHS_ALONE)
        seeksCountsAlone = has(GP_SEARCH_SEEKS_COUNTS_ALONE)
        isOfOtherMalloc = has(GP_SEARCH_OTHER_MALLOC)
    }

    mutating func note(_ message: HeapImageRecord) {
        switch Int(message.kind) {
        case Int(GP_SEARCH_BEGIN):
            note(UInt32(truncatingIfNeeded: message.first))
            process = message.second
        case Int(GP_SEARCH_SNAPSHOT):
            name = String(decoding: message.bytes, as: UTF8.self)
            trigger = HeapBeginRecord.Trigger(rawValue: UInt8(truncatingIfNeeded: message.first)) ?? .onRequest
        case Int(GP_SEARCH_PATTERNS):
            patterns += String(decoding: message.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        case Int(GP_SEARCH_OBJECT):
            guard let cause = HeapTarget.Cause(rawValue: UInt8(truncatingIfNeeded: message.second)) else { return }
            objects.append(
                Object(
                    address: message.first, cause: cause, label: String(decoding: message.bytes, as: UTF8.self)))
        default: break
        }
    }
}
