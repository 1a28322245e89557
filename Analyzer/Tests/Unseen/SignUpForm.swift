import Foundation

enum ValidationFailure: Hashable {
    case empty
    case tooShort(Int)
    case mismatch
    case malformed
    case custom(String)
}

extension SignUpForm {
    struct Rule {
        let failure: ValidationFailure
        let check: (String) -> Bool
    }

    final class FormField {
        enum State { case untouched, valid, invalid([ValidationFailure]) }

        let label: String
        private let rules: [Rule]
        private(set) var state = State.untouched
        var text = "" {
            didSet { revalidate() }
        }

        init(_ label: String, rules: [Rule]) {
            self.label = label
            self.rules = rules
        }

        func revalidate() {
            let failures = rules.filter { !$0.check(text) }.map(\.failure)
            state = failures.isEmpty ? .valid : .invalid(failures)
        }

        var isValid: Bool {
            if case .valid = state { true } else { false }
        }
    }
}

extension SignUpForm.Rule {
    static var required: Self { Self(failure: .empty) { !$0.isEmpty } }

    static func minimum(_ count: Int) -> Self {
        Self(failure: .tooShort(count)) { $0.count >= count }
    }

    static func pattern(_ isMatch: @escaping (Character) -> Bool) -> Self {
        Self(failure: .malformed) { $0.allSatisfy(isMatch) }
    }

    static func when(_ failure: ValidationFailure, _ body: @escaping (String) -> Bool) -> Self {
        Self(failure: failure, check: body)
    }
}

final class SignUpForm {
    private var fields: [FormField] = []
    private let taken: Set<String>
    private(set) var submissions = 0

    init(taken: Set<String>) {
        self.taken = taken
        fields = makeFields()
    }

    private func makeFields() -> [FormField] {
        let taken = self.taken
        let name = FormField("name", rules: [
            .required,
            .pattern { $0.isLetter || $0.isNumber || $0 == "_" },
            .when(.custom("already taken")) { !taken.contains($0.lowercased()) },
        ])
        let password = FormField("password", rules: [
            .minimum(8),
            .when(.custom("must not contain the name")) { [unowned name] text in
                name.text.isEmpty || !text.contains(name.text)
            },
        ])
        let confirmation = FormField("confirmation", rules: [
            .required,
            .when(.mismatch) { $0 == self["password"].text },
        ])
        return [name, password, confirmation]
    }

    subscript(label: String) -> FormField {
        guard let field = fields.first(where: { $0.label == label }) else {
            preconditionFailure("no field \(label)")
        }
        return field
    }

    func fill(_ values: KeyValuePairs<String, String>) {
        for (label, text) in values { self[label].text = text }
    }

    @discardableResult
    func submit(_ send: ([String: String]) -> Void) -> Bool {
        fields.forEach { $0.revalidate() }
        guard fields.allSatisfy(\.isValid) else { return false }
        submissions += 1
        send(Dictionary(uniqueKeysWithValues: fields.map { ($0.label, $0.text) }))
        return true
    }

    func failures() -> [String] {
        fields.compactMap { field in
            guard case .invalid(let reasons) = field.state else { return nil }
            return "\(field.label): \(reasons)"
        }
    }
}

func register(_ attempts: [(String, String, String)]) {
    let form = SignUpForm(taken: ["root", "admin"])
    for (name, password, confirmation) in attempts {
        form.fill(["name": name, "password": password, "confirmation": confirmation])
        let accepted = form.submit { body in
            print("POST /accounts", body.keys.sorted(), form.submissions)
        }
        if !accepted { form.failures().forEach { print($0) } }
    }
}

register([("root", "short", "shorter"), ("ada_l", "difference-engine", "difference-engine")])
