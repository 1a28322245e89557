import Foundation

// MARK: - Models

struct Address: Hashable {
    var street: String
    var city: String
}

struct CartLine {
    let sku: String
    let quantity: Int
    let unitPrice: Int
}

struct Order {
    let id: Int
    let lines: [CartLine]
    var address: Address?

    var total: Int { lines.reduce(0) { $0 + $1.quantity * $1.unitPrice } }
}

// MARK: - Navigation primitives

class Screen {
    let title: String
    var onAppear: (() -> Void)?
    var onDismiss: (() -> Void)?

    init(title: String) {
        self.title = title
    }
}

final class Navigator {
    private var stack: [Screen] = []

    var depth: Int { stack.count }

    func push(_ screen: Screen) {
        stack.append(screen)
        screen.onAppear?()
        screen.onAppear = nil
    }

    func pop() {
        guard let top = stack.popLast() else { return }
        top.onDismiss?()
    }

    func popToRoot() {
        while stack.count > 1 { pop() }
    }
}

protocol Coordinator: AnyObject {
    func start()
}

protocol AddressCoordinatorDelegate: AnyObject {
    func addressCoordinator(_ coordinator: AddressCoordinator, didPick address: Address)
}

protocol PaymentCoordinatorDelegate: AnyObject {
    func paymentCoordinator(_ coordinator: PaymentCoordinator, didAuthorize amount: Int)
    func paymentCoordinatorDidCancel(_ coordinator: PaymentCoordinator)
}

// MARK: - Child flows

final class AddressCoordinator: Coordinator {
    weak var delegate: AddressCoordinatorDelegate?
    private let navigator: Navigator
    private let known: [Address]

    init(navigator: Navigator, known: [Address]) {
        self.navigator = navigator
        self.known = known
    }

    func start() {
        let screen = Screen(title: "Address")
        screen.onAppear = { self.pickFirst() }
        navigator.push(screen)
    }

    private func pickFirst() {
        guard let first = known.first else { return }
        delegate?.addressCoordinator(self, didPick: first)
    }
}

final class PaymentCoordinator: Coordinator {
    var delegate: PaymentCoordinatorDelegate?
    private let navigator: Navigator
    private var amount = 0

    init(navigator: Navigator) {
        self.navigator = navigator
    }

    func configure(amount: Int) {
        self.amount = amount
    }

    func start() {
        navigator.push(Screen(title: "Payment"))
        if amount > 0 {
            delegate?.paymentCoordinator(self, didAuthorize: amount)
        } else {
            delegate?.paymentCoordinatorDidCancel(self)
        }
    }
}

final class SummaryViewModel {
    private(set) var headline = ""
    var onConfirm: ((Order) -> Void)?
    var onEdit: (() -> Void)?

    func present(_ order: Order) {
        headline = "Order #\(order.id): \(order.total) cents"
    }

    func confirmTapped(_ order: Order) {
        onConfirm?(order)
    }
}

// MARK: - Parent flow

final class CheckoutCoordinator: Coordinator {
    private let navigator: Navigator
    private let summary = SummaryViewModel()
    private lazy var payment = PaymentCoordinator(navigator: navigator)
    private var address: AddressCoordinator?
    private var order: Order
    private var completion: ((Order) -> Void)?

    init(navigator: Navigator, order: Order, completion: @escaping (Order) -> Void) {
        self.navigator = navigator
        self.order = order
        self.completion = completion
    }

    func start() {
        summary.onConfirm = placeOrder
        summary.onEdit = { [weak self] in self?.startAddress() }
        summary.present(order)
        showPromo()
        startAddress()
    }

    private func showPromo() {
        let promo = Screen(title: "Free shipping this week")
        promo.onDismiss = { [weak self] in
            self?.track("dismissed \(promo.title)")
        }
        navigator.push(promo)
        navigator.pop()
    }

    private func showReceipt() {
        let receipt = Screen(title: "Receipt")
        receipt.onDismiss = { [weak self, weak receipt] in
            self?.track("dismissed \(receipt?.title ?? "-")")
        }
        navigator.push(receipt)
    }

    private func startAddress() {
        let child = AddressCoordinator(navigator: navigator, known: [Address(street: "Main 1", city: "Oslo")])
        child.delegate = self
        address = child
        child.start()
    }

    private func placeOrder(_ order: Order) {
        payment.delegate = self
        payment.configure(amount: order.total)
        payment.start()
    }

    private func finish() {
        let done = completion
        completion = nil
        done?(order)
    }

    private func track(_ event: String) {
        print("track:", event, "depth", navigator.depth)
    }

    func confirm() {
        summary.confirmTapped(order)
    }
}

extension CheckoutCoordinator: AddressCoordinatorDelegate {
    func addressCoordinator(_ coordinator: AddressCoordinator, didPick address: Address) {
        order.address = address
        self.address = nil
    }
}

extension CheckoutCoordinator: PaymentCoordinatorDelegate {
    func paymentCoordinator(_ coordinator: PaymentCoordinator, didAuthorize amount: Int) {
        showReceipt()
        finish()
    }

    func paymentCoordinatorDidCancel(_ coordinator: PaymentCoordinator) {
        finish()
    }
}

// MARK: - Entry

func runCheckout(id: Int) {
    let navigator = Navigator()
    let order = Order(id: id, lines: [CartLine(sku: "mug", quantity: 2, unitPrice: 900)], address: nil)
    let flow = CheckoutCoordinator(navigator: navigator, order: order) { order in
        print("done", order.id, order.address?.city ?? "?")
    }
    flow.start()
    flow.confirm()
    navigator.popToRoot()
}

for id in 1...3 {
    runCheckout(id: id)
}
