import GameprofBasics
import SourceModel

/// The property that in the end keeps a value.
struct Keeper: Sendable {
    /// Path of its type.
    var type: String
    var field: String
    /// Where it is declared.
    var file: Int
    var position: Int
    /// The type is a struct or an enum: an owner of the value owns what is in it.
    var isInValue: Bool
    /// The declared type of the property, as far as it says one.
    var declared: TypeReference?

    /// `Dialog.buttonHandler`.
    var name: String { "\(NameTokens.last(of: type)).\(field)" }
}

/// Storage that an object of the enclosing type keeps alive: a path from `self` on.
struct StoragePath: Sendable {
    /// `["dialog", "handler"]`; `[…]` stands for an element.
    var fields: [String]
    /// The last property of the path.
    var keeper: Keeper?
    /// The type of what stands there, as far as it is known.
    var type: TypeReference?
    /// The type of the parameter by which a function takes what it stores there.
    var parameter: TypeReference?
    /// Sentences.
    var unknowns: [String] = []

    var text: String { fields.joined(separator: ".").replacing(".[…]", with: "[…]") }
}

/// A value that keeps something alive.
struct Held: Sendable {
    enum Kind: Sendable {
        /// A closure that captures `self` strongly.
        case closure(Closure)
        /// A method of `self`, as a value.
        case method(String)
        /// A closure over `self` that the function with that name makes and returns.
        case made(by: String)
        /// `self`.
        case object
        /// The parameter with that place in the list, or a closure that captures it.
        case parameter(Int)
    }

    var kind: Kind
    var position: Int
    /// What keeps it within the value that is stored, where it is not the value itself.
    var keeper: Keeper?
    /// The type that the place of the closure demands; nil: the closure itself decides which it has.
    var demanded: TypeReference?
    /// The closure captures `self` by a local function that it calls, besides what its text says.
    var isByFunction = false
    var unknowns: [String] = []

    var isObject: Bool { if case .object = kind { true } else { false } }
}

/// A value that gets into storage which `self` keeps.
struct Flow: Sendable {
    var held: Held
    var path: StoragePath
    /// Of the assignment or call.
    var position: Int
    /// The called function, where it returns a plain value, a key, and that is thrown away.
    var key: String?
    /// The property that keeps what the call returns, by which the value may be taken out again.
    var token: String?

    /// The property that keeps the value in the end.
    var keeper: Keeper? { held.keeper ?? path.keeper }
    var unknowns: [String] { path.unknowns + held.unknowns }
}

/// A local object that holds a closure which captures that object, or a variable that holds one which captures it.
struct LocalCircle: Sendable {
    var name: String
    var closure: Closure
    var keeper: Keeper?
    /// Empty for a variable that holds the closure itself.
    var field: String
    /// The properties on the way from the object to the closure, the last one among them.
    var fields: [String]
    /// Path of the object's type; empty when it is not known.
    var type: String
    var unknowns: [String]
}

/// Where the value of a call goes.
indirect enum Destination: Sendable {
    case stored(StoragePath)
    /// Part of a chain whose subscription is stored there.
    case subscribed(StoragePath)
    case local(String)
    case argument(of: String)
    case returned
    case dropped
    case other
}

/// A call that a rule asks about.
struct CallSite: Sendable {
    var call: Call
    var destination: Destination
    /// What its arguments keep alive.
    var held: [Held]
    /// The storage that the call's base is, where `self` owns that.
    var base: StoragePath?
    /// Names that stand for `self`, itself among them.
    var selfNames: Set<String>

    /// The storage that the value gets into.
    var storage: StoragePath? {
        switch destination {
        case .stored(let path), .subscribed(let path): path
        default: nil
        }
    }

    /// Whether the closure stands among the arguments itself.
    func takes(_ closure: Closure) -> Bool { closures.contains { $0 === closure } }

    /// The closures among the arguments.
    var closures: [Closure] {
        call.arguments.compactMap { argument in
            if case .closure(let closure) = argument.value { return closure }
            return nil
        }
    }
}

/// A closure with an unowned capture, and the call that takes it.
struct UnownedClosure: Sendable {
    var closure: Closure
    var capture: Closure.Capture
    var call: Call
    var label: String?
    var destination: Destination
    /// `self` keeps what the closure is given to.
    var isOwned: Bool
}

/// What the walk through one function found.
struct FunctionFlows: Sendable {
    var flows: [Flow] = []
    var circles: [LocalCircle] = []
    var sites: [CallSite] = []
    var unowned: [UnownedClosure] = []
    /// What the returned value holds.
    var returned: [Held] = []
}

/// A function, and where it stands.
struct FunctionPlace: Sendable {
    var function: Function
    /// Nil for a free function.
    var type: TypeInfo?
    var file: Int

    /// `DialogOwner.showDialog()`.
    var name: String {
        let owner = type?.path ?? ""
        return owner.isEmpty ? function.signature : "\(owner).\(function.signature)"
    }
}
