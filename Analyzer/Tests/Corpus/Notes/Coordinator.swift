import Foundation

/// Owns the controllers of a flow.
protocol Coordinating: AnyObject {
    func start()
}

final class AppCoordinator: Coordinating {
    private var children: [FlowCoordinator] = []
    private let store = NoteStore()
    private var loader: Loader?

    func start() {
        let flow = FlowCoordinator(parent: self)
        children.append(flow)
        flow.start()
        let settings = SettingsCoordinator(parent: self)
        settings.start()
        let loader = Loader(store: store)
        loader.delegate = self
        self.loader = loader
    }

    func finished(_ child: FlowCoordinator) {
        children.removeAll { $0 === child }
    }
}

extension AppCoordinator: LoaderDelegate {
    func loaded(_ notes: [String]) {
        print(notes)
    }
}

final class FlowCoordinator {
    private let parent: AppCoordinator  // suspect: back-reference
    private var editor: EditorController?

    init(parent: AppCoordinator) {
        self.parent = parent
    }

    func start() {
        editor = EditorController()
        editor?.onDone = { [unowned self] _ in  // no-finding: unowned-outlived
            self.parent.finished(self)
        }
    }
}

/// Nobody keeps it.
final class SettingsCoordinator {
    private let parent: AppCoordinator  // no-finding: back-reference

    init(parent: AppCoordinator) {
        self.parent = parent
    }

    func start() {}
}

protocol LoaderDelegate: AnyObject {
    func loaded(_ notes: [String])
}

final class Loader {
    private let store: NoteStore
    var delegate: (any LoaderDelegate)?  // suspect: strong-delegate

    init(store: NoteStore) {
        self.store = store
    }

    func load() {
        delegate?.loaded(store.all())
    }
}

final class NoteStore {
    private var notes: [String] = []

    func all() -> [String] { notes }

    func add(_ note: String) {
        notes.append(note)
    }
}

/// The session takes its delegate for as long as it lives, as documented.
final class Downloader {
    private let delegate: DownloadDelegate  // no-finding: strong-delegate

    init() {
        delegate = DownloadDelegate()
    }
}

final class DownloadDelegate {
    var received = 0
}
