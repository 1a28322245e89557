import Foundation

protocol ListViewDataSource: AnyObject {
    func numberOfRows(in list: ListView) -> Int
}

protocol ListViewDelegate: AnyObject {
    func list(_ list: ListView, didSelect row: Int)
}

protocol Theme {
    var accent: String { get }
}

/// A view like those of the well-known kits.
class View {
    var subviews: [View] = []
    weak var superview: View?  // no-finding: back-reference
    var onTap: (() -> Void)?
    var isHidden = false

    func addSubview(_ view: View) {
        view.superview = self
        subviews.append(view)
    }

    static func animate(duration: Double, animations: () -> Void, completion: ((Bool) -> Void)? = nil) {
        animations()
        completion?(true)
    }
}

final class ListView: View {
    var dataSource: ListViewDataSource?  // suspect: strong-delegate
    weak var delegate: ListViewDelegate?  // no-finding: strong-delegate
    var theme: Theme?  // no-finding: strong-delegate

    func reload() {
        print(dataSource?.numberOfRows(in: self) ?? 0)
    }
}

final class Button: View {
    var title: String
    private var action: (Button) -> Void

    init(title: String, action: @escaping (Button) -> Void) {
        self.title = title
        self.action = action
    }

    func press() {
        action(self)
    }
}

final class TextField: View {
    var text = ""
    var onChange: ((String) -> Void)?
    var validators: [(String) -> Bool] = []

    func type(_ text: String) {
        self.text += text
        onChange?(self.text)
    }
}

/// Keeps nobody: calls what it is given.
final class Animator {
    func run(_ body: () -> Void) {
        body()
    }

    func after(_ delay: Double, _ body: @escaping () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + delay, execute: body)
    }
}
