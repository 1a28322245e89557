import GameprofBasics

/// A reference from one of the user's objects to the next.
public struct Reference: Codable, Hashable, Sendable {
    /// Why a reference is the one to change.
    public struct Suspicion: Codable, Hashable, Sendable {
        /// A word for scripts: `closureCapturesSelf`, `backReferenceName`, …
        public var reason: String
        /// A sentence for people.
        public var explanation: String

        public init(reason: String, explanation: String) {
            self.reason = reason
            self.explanation = explanation
        }
    }

    /// Types with module.
    public var from: String
    public var to: String
    /// The stored property of `from`.
    public var field: String
    /// The superclass that declares `field`, with module; absent where `from` itself does.
    public var declaredIn: String?
    /// The way from `from` on: `cards[…].owner`.
    public var path: String
    /// `strong`, `unowned`, `weak` or `unmanaged`.
    public var ownership: String
    /// True when the reference stands in memory whose type is not known: that it owns its target is inferred.
    public var isInferred: Bool?
    /// Storage, boxes, closure contexts and library objects on the way.
    public var via: [String]
    /// The function of the closure that captures `to`.
    public var closure: String?
    /// What the closure captures: `self`, or the bare type.
    public var captures: String?
    /// Where the closure stands.
    public var file: String?
    public var line: Int?
    /// How often the reference repeats along the path; absent: once.
    public var repeats: Int?
    /// Present on the reference that should most likely not own its target.
    public var suspect: Suspicion?

    public init(
        from: String, field: String, to: String, path: String? = nil, ownership: String = "strong", via: [String] = [],
        closure: String? = nil, captures: String? = nil
    ) {
        self.from = from
        self.to = to
        self.field = field
        self.path = path ?? field
        self.ownership = ownership
        self.via = via
        self.closure = closure
        self.captures = captures
    }
}

extension Reference {
    /// "Owner.slots[…]": the object, called `name`, and the way inside it.
    package func holder(named name: String) -> String {
        FieldName.joined(name, path)
    }
}
