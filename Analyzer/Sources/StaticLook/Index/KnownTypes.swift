import SourceModel

/// What is known of types that the sources do not declare.
enum KnownTypes {
    static let values: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "Bool", "String", "Substring", "Character", "Data", "Date", "URL", "UUID", "Range", "ClosedRange", "Duration",
        "TimeInterval", "CGFloat", "CGPoint", "CGRect", "CGSize", "IndexPath", "IndexSet", "Calendar", "Locale",
        "TimeZone", "DateComponents", "Decimal", "Void", "Never", "Any", "UnsafeRawPointer",
        "UnsafeMutableRawPointer", "UnsafePointer", "UnsafeMutablePointer", "ObjectIdentifier", "AnyHashable",
        "StaticString", "Unicode", "Notification", "URLRequest", "ByteBuffer", "Selector", "UnicodeScalar",
        "StringProtocol", "Sequence", "Collection", "Hashable", "Equatable", "Sendable", "Codable", "Decodable",
        "Encodable", "Error", "CodingKey",
    ]

    static let classes: Set<String> = [
        "NSObject", "NSObjectProtocol", "Timer", "DispatchQueue", "DispatchSourceTimer", "DispatchSourceRead",
        "OperationQueue", "Operation", "BlockOperation", "NotificationCenter", "URLSession", "URLSessionTask",
        "URLSessionDataTask", "Thread", "NSLock", "NSRecursiveLock", "NSCondition", "RunLoop", "FileHandle",
        "Process", "Progress", "UndoManager", "AnyCancellable", "NSKeyValueObservation", "AnyObject", "UIView",
        "UIViewController", "NSView", "NSViewController", "UIButton", "UIControl", "DispatchWorkItem", "Formatter",
        "DateFormatter", "NumberFormatter", "JSONDecoder", "JSONEncoder", "Bundle", "FileManager", "UserDefaults",
        "Actor", "Channel", "EventLoop", "ChannelHandlerContext", "NSMutableArray", "NSMutableDictionary",
    ]

    /// Collections whose methods take an element and keep it.
    static let keepingMethods: Set<String> = [
        "append", "insert", "updateValue", "add", "push", "enqueue", "prepend", "formUnion", "addObject", "pushBack",
    ]

    /// Methods that take something out, or everything.
    static let removingMethods: Set<String> = [
        "removeValue", "remove", "removeFirst", "removeLast", "popLast", "popFirst", "removeSubrange", "subtract",
        "removeObject", "pop", "dequeue", "removeAtIndex", "evict", "trim", "formIntersection", "dropFirst",
        "swapAt", "popMin", "popMax", "prune", "truncate", "moveReaderIndex", "discardReadBytes",
        "formSymmetricDifference", "subtracting", "drain",
    ]
    static let emptyingMethods: Set<String> = [
        "removeAll", "removeAllObjects", "clear", "reset", "wrappedReset", "take",
    ]
}

extension Module {
    /// Whether a value of the type holds no references of its own: nil when that is not known.
    func isValue(_ reference: TypeReference?, from path: String) -> Bool? {
        guard let reference else { return nil }
        switch resolve(reference).unwrapped {
        case .function, .array, .dictionary, .tuple: return true
        case .named(let names, _):
            guard let name = names.last else { return nil }
            if let type = type(of: reference, from: path), type.isDeclared {
                if type.kind == .protocol { return isClassBound(type) ? false : nil }
                return type.isValue
            }
            if KnownTypes.values.contains(name) || ["Array", "Dictionary", "Set", "Optional"].contains(name) {
                return true
            }
            return isKnownClass(name) ? false : surroundings.kinds.isClass(name).map { !$0 }
        case .composition(let parts):
            return parts.contains { isValue($0, from: path) == false } ? false : nil
        default: return nil
        }
    }

    /// Whether a type that no file declares is known to be a class.
    func isKnownClass(_ name: String) -> Bool {
        surroundings.kinds.isClass(name) ?? KnownTypes.classes.contains(name)
    }

    /// Whether only classes can conform to the protocol.
    func isClassBound(_ type: TypeInfo) -> Bool {
        lineage(of: type).contains { ancestor in
            ancestor.isClass
                || ancestor.inherited.contains {
                    ["AnyObject", "class", "NSObjectProtocol", "NSObject", "Actor"].contains($0.name ?? "")
                }
        }
    }
}
