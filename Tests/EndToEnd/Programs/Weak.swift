// Weak, unowned and unmanaged references: they keep nothing alive, and nothing here is lost.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

protocol Delegate: AnyObject { func act() }
final class Controller: Owner, Delegate {
    var view: View?
    func act() { number += 1 }
}
final class View {
    var number = 2
    weak var delegate: (any Delegate)?
    weak var controller: Controller?
}

final class Parent {
    var number = 1
    var children: [Child] = []
}
final class Child {
    unowned let parent: Parent
    var number = 2
    init(_ parent: Parent) { self.parent = parent }
}

final class UnsafeChild {
    unowned(unsafe) let parent: Parent
    init(_ parent: Parent) { self.parent = parent }
}

final class Watched {
    var number = 3
    var text = String(repeating: "watched ", count: 6)
}
struct WeakBox { weak var value: Watched? }

/// The lost object holds weakly what has died: the memory that the weak reference needs is lost with it.
final class Watcher: Owner {
    weak var watched: Watched?
    var part: Part?
}
@inline(never) func lostWatcher() {
    let watcher = Watcher()
    let watched = Watched()
    watcher.watched = watched
    touch(watched)
    watcher.part = Part(watcher)
    touch(watcher.watched?.number)
    touch(watcher)
}

nonisolated(unsafe) var globalController: Controller?
nonisolated(unsafe) var globalParent: Parent?
nonisolated(unsafe) var globalBoxes: [WeakBox] = []
nonisolated(unsafe) weak var globalWeak: Watched?
nonisolated(unsafe) var globalWatched: Watched?
nonisolated(unsafe) var globalPinned: (() -> Int)?
nonisolated(unsafe) var globalUnmanaged: Unmanaged<Watched>?
nonisolated(unsafe) var globalOptionalUnowned = UnownedHolder()
final class UnownedHolder {
    unowned var watched: Watched?
    var number = 4
}

@inline(never) func delegate() {
    let c = Controller()
    c.view = View()
    c.view?.delegate = c
    c.view?.controller = c
    c.view?.delegate?.act()
}
@inline(never) func livingDelegate() {
    let c = Controller()
    c.view = View()
    c.view?.delegate = c
    globalController = c
}
@inline(never) func unownedParent() {
    let p = Parent()
    p.children = (0..<5).map { _ in Child(p) }
    touch(p)
}
@inline(never) func livingUnownedParent() {
    let p = Parent()
    p.children = (0..<5).map { _ in Child(p) }
    globalParent = p
}
/// As many unowned and unmanaged words name the parent as it has retains: they explain none of them.
final class Ward {
    unowned let parent: Guardian
    init(_ parent: Guardian) { self.parent = parent }
}
final class HandleWard {
    var parent: Unmanaged<Guardian>?
}
final class Guardian {
    var number = 6
    var ward: Ward?
    var handles: HandleWard?
}
nonisolated(unsafe) var globalGuardians: [Guardian] = []
@inline(never) func onlyChild() {
    let one = Guardian()
    one.ward = Ward(one)
    let other = Guardian()
    other.handles = HandleWard()
    other.handles?.parent = Unmanaged.passUnretained(other)
    globalGuardians = [one, other]
}
/// The objects are gone; their weak references and side tables are not.
@inline(never) func deadWeak() {
    for _ in 0..<20 {
        let watched = Watched()
        globalBoxes.append(WeakBox(value: watched))
        touch(watched)
    }
    touch(globalBoxes.filter { $0.value != nil }.count)
}
@inline(never) func livingWeak() {
    let watched = Watched()
    globalWatched = watched
    globalWeak = watched
    for _ in 0..<20 { globalBoxes.append(WeakBox(value: watched)) }
}
/// The object lives through nothing but one strong global while its refcount word shows a side table.
@inline(never) func sideTableOnly() {
    let watched = Watched()
    globalWeak = watched
    globalWatched = watched
    touch(globalWeak)
}
/// deinit has run; an unowned reference keeps the memory.
@inline(never) func pinnedByUnowned() {
    let watched = Watched()
    globalPinned = { [unowned watched] in watched.number }
    touch(globalPinned?())
}
@inline(never) func unmanagedGlobal() { globalUnmanaged = Unmanaged.passRetained(Watched()) }
@inline(never) func optionalUnowned() {
    let watched = Watched()
    globalWatched = watched
    globalOptionalUnowned.watched = watched
}
@inline(never) func unsafeUnowned() {
    let p = Parent()
    let c = UnsafeChild(p)
    touch((p, c))
}
@inline(never) func weakInDictionary() {
    var table: [String: WeakBox] = [:]
    let watched = Watched()
    for number in 0..<50 { table["key number \(number) with a long tail"] = WeakBox(value: watched) }
    globalWatched = watched
    globalTable = table
}
nonisolated(unsafe) var globalTable: [String: WeakBox] = [:]
/// The handle owns: whoever holds it can still release the object.
final class Handle {
    var number = 5
    var object: Unmanaged<Watched>?
    var context: UnsafeMutableRawPointer?
}
nonisolated(unsafe) var globalHandle: Handle?
@inline(never) func unmanagedField() {
    let handle = Handle()
    handle.object = Unmanaged.passRetained(Watched())
    handle.context = Unmanaged.passRetained(Watched()).toOpaque()
    globalHandle = handle
}

let cases: Cases = [
    "delegate": delegate, "living-delegate": livingDelegate, "unowned-parent": unownedParent,
    "living-unowned-parent": livingUnownedParent, "dead-weak": deadWeak, "living-weak": livingWeak,
    "side-table": sideTableOnly, "pinned": pinnedByUnowned, "unmanaged-global": unmanagedGlobal,
    "optional-unowned": optionalUnowned, "unsafe-unowned": unsafeUnowned, "weak-dictionary": weakInDictionary,
    "unmanaged-field": unmanagedField, "only-child": onlyChild, "lost-watcher": lostWatcher,
]
