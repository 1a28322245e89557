import Dispatch
import Foundation

// MARK: - API

struct Credentials: Sendable {
    var user = ""
    var password = ""
}

enum LoginError: Error, CustomStringConvertible {
    case invalid(String)
    case offline

    var description: String {
        switch self {
        case .invalid(let reason): return "invalid: \(reason)"
        case .offline: return "offline"
        }
    }
}

final class AuthAPI {
    private let queue = DispatchQueue(label: "auth.api")
    private var attempts = 0

    func login(_ credentials: Credentials, reply: @escaping (Result<String, LoginError>) -> Void) {
        queue.async {
            self.attempts += 1
            if credentials.password.count < 4 {
                reply(.failure(.invalid("password too short")))
            } else {
                reply(.success("token-\(credentials.user)-\(self.attempts)"))
            }
        }
    }
}

// MARK: - Helpers

final class Debouncer {
    private var pending: DispatchWorkItem?
    private let queue: DispatchQueue
    private let delay: DispatchTimeInterval
    private var fired = 0

    init(queue: DispatchQueue, delay: DispatchTimeInterval) {
        self.queue = queue
        self.delay = delay
    }

    func call(_ action: @escaping () -> Void) {
        pending?.cancel()
        let item = DispatchWorkItem {
            self.pending = nil
            self.fired += 1
            action()
        }
        pending = item
        queue.asyncAfter(deadline: .now() + delay, execute: item)
    }
}

struct Validator {
    let name: String
    let check: (Credentials) -> Bool
}

protocol LoginViewModelDelegate: AnyObject {
    func loginViewModelDidChange(_ viewModel: LoginViewModel)
}

// MARK: - View model

final class LoginViewModel {
    enum State: Equatable {
        case editing
        case working
        case failed(String)
        case signedIn(String)
    }

    weak var delegate: LoginViewModelDelegate?

    private(set) var state: State = .editing {
        didSet { delegate?.loginViewModelDidChange(self) }
    }

    private var credentials = Credentials()
    private let api: AuthAPI
    private let debouncer = Debouncer(queue: .main, delay: .milliseconds(5))
    private var completion: ((String) -> Void)?

    private lazy var validators: [Validator] = {
        let minimum = self.minimumLength
        return [
            Validator(name: "user") { !$0.user.isEmpty },
            Validator(name: "password") { $0.password.count >= minimum },
        ]
    }()

    private lazy var greeting: String = {
        "Sign in, please (at least \(self.minimumLength) characters)"
    }()

    private let minimumLength: Int

    init(api: AuthAPI, minimumLength: Int = 2) {
        self.api = api
        self.minimumLength = minimumLength
    }

    func edit(user: String, password: String) {
        credentials = Credentials(user: user, password: password)
        debouncer.call { self.validate() }
    }

    func submit(then completion: @escaping (String) -> Void) {
        self.completion = completion
        state = .working
        api.login(credentials) { result in
            DispatchQueue.main.async {
                self.finish(result)
            }
        }
    }

    private func validate() {
        let failing = validators.filter { !$0.check(credentials) }.map(\.name)
        if !failing.isEmpty { state = .failed(failing.joined(separator: ",")) }
    }

    private func finish(_ result: Result<String, LoginError>) {
        let callback = completion
        completion = nil
        switch result {
        case .success(let token):
            state = .signedIn(token)
            callback?(token)
        case .failure(let error):
            state = .failed(error.description)
        }
    }

    var prompt: String { greeting }
}

// MARK: - View

final class Button {
    var onTap: (() -> Void)?
    let title: String

    init(title: String) {
        self.title = title
    }

    func tap() { onTap?() }
}

final class LoginView: LoginViewModelDelegate {
    private let viewModel: LoginViewModel
    private let submit = Button(title: "Sign in")
    private let cancel = Button(title: "Cancel")
    private var onClose: (() -> Void)?
    private var label = ""

    init(viewModel: LoginViewModel, onClose: @escaping () -> Void) {
        self.viewModel = viewModel
        self.onClose = onClose
        viewModel.delegate = self
        submit.onTap = { [weak self] in self?.submitTapped() }
        cancel.onTap = { [unowned self] in self.close() }
    }

    func loginViewModelDidChange(_ viewModel: LoginViewModel) {
        label = "\(viewModel.state)"
    }

    func type(_ user: String, _ password: String) {
        viewModel.edit(user: user, password: password)
    }

    func tapSubmit() { submit.tap() }
    func tapCancel() { cancel.tap() }

    private func submitTapped() {
        viewModel.submit { _ in
            self.close()
        }
    }

    private func close() {
        print(label, "-", viewModel.prompt)
        let callback = onClose
        onClose = nil
        callback?()
    }
}

final class Window {
    private var view: LoginView?

    func show(_ api: AuthAPI, user: String, password: String) {
        let created = LoginView(viewModel: LoginViewModel(api: api)) {
            self.view = nil
        }
        view = created
        created.type(user, password)
        created.type(user, password + "!")
        created.tapSubmit()
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
        if view != nil { created.tapCancel() }
    }

    var isEmpty: Bool { view == nil }
}

func signIn(_ user: String, _ password: String) {
    let window = Window()
    window.show(AuthAPI(), user: user, password: password)
    print(user, "closed", window.isEmpty)
}

signIn("ada", "lovelace")
signIn("bob", "x")
signIn("", "secret")
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
