import Foundation

struct TodoItem: Identifiable, Equatable {
    let id: Int
    var title: String
    var done = false
}

struct TodoState: Equatable {
    var items: [TodoItem] = []
    var filter = Filter.all
    var nextID = 1

    enum Filter { case all, open, done }

    var visible: [TodoItem] {
        items.filter { item in
            switch filter {
            case .all: true
            case .open: !item.done
            case .done: item.done
            }
        }
    }
}

enum TodoAction {
    case add(String)
    case toggle(Int)
    case show(TodoState.Filter)
    case clearDone
}

typealias Dispatch<Action> = (Action) -> Void
typealias Middleware<State, Action> = (@escaping () -> State?, @escaping Dispatch<Action>) -> Dispatch<Action>
typealias Reducer<State, Action> = (inout State, Action) -> Void

final class Store<State, Action> {
    private(set) var state: State
    private let reducer: Reducer<State, Action>
    private var dispatchChain: Dispatch<Action> = { _ in }
    private var subscribers: [Int: (State) -> Void] = [:]
    private var nextSubscriber = 0

    init(_ initial: State, reducer: @escaping Reducer<State, Action>, middleware: [Middleware<State, Action>]) {
        state = initial
        self.reducer = reducer
        let getState: () -> State? = { [weak self] in self?.state }
        let base: Dispatch<Action> = { action in
            self.apply(action)
        }
        dispatchChain = middleware.reversed().reduce(base) { next, layer in
            layer(getState, next)
        }
    }

    func dispatch(_ action: Action) {
        dispatchChain(action)
    }

    func subscribe(_ body: @escaping (State) -> Void) -> () -> Void {
        let key = nextSubscriber
        nextSubscriber += 1
        subscribers[key] = body
        body(state)
        return { [weak self] in self?.subscribers[key] = nil }
    }

    private func apply(_ action: Action) {
        reducer(&state, action)
        subscribers.values.forEach { $0(self.state) }
    }
}

func todoReducer(_ state: inout TodoState, _ action: TodoAction) {
    switch action {
    case .add(let title):
        state.items.append(TodoItem(id: state.nextID, title: title))
        state.nextID += 1
    case .toggle(let id):
        if let index = state.items.firstIndex(where: { $0.id == id }) { state.items[index].done.toggle() }
    case .show(let filter):
        state.filter = filter
    case .clearDone:
        state.items.removeAll(where: \.done)
    }
}

func journal(_ output: @escaping (String) -> Void) -> Middleware<TodoState, TodoAction> {
    { getState, next in
        { action in
            let before = getState()?.items.count ?? 0
            next(action)
            output("\(action): \(before) -> \(getState()?.items.count ?? 0)")
        }
    }
}

let rejectBlank: Middleware<TodoState, TodoAction> = { _, next in
    { action in
        if case .add(let title) = action, title.allSatisfy(\.isWhitespace) { return }
        next(action)
    }
}

final class TodoListView {
    private let store: Store<TodoState, TodoAction>
    private var unsubscribe: (() -> Void)?
    private(set) var rows: [String] = []

    init(store: Store<TodoState, TodoAction>) {
        self.store = store
        unsubscribe = store.subscribe { [weak self] state in
            self?.rows = state.visible.map { ($0.done ? "x " : "- ") + $0.title }
        }
    }

    deinit {
        unsubscribe?()
    }
}

func session(_ titles: [String]) {
    let store = Store(TodoState(), reducer: todoReducer, middleware: [journal { print($0) }, rejectBlank])
    let view = TodoListView(store: store)
    titles.forEach { store.dispatch(.add($0)) }
    store.dispatch(.toggle(1))
    store.dispatch(.show(.open))
    print(view.rows)
}

session(["milk", "  ", "bread"])
session(["call Kim"])
