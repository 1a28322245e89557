// Lost: set by a setter that takes an optional, never with nil
final class Field {
    private var changed: ((String) -> Void)?
    func onChange(_ body: ((String) -> Void)?) { changed = body }
    func type(_ text: String) { changed?(text) }
}
final class Form {
    private let field = Field()
    private var text = ""
    private var validate: (() -> Bool)?
    func set(_ rule: (() -> Bool)?) { validate = rule }
    func build() {
        field.onChange { text in self.text = text }  // leak
        set { !self.text.isEmpty }  // leak
    }
    func fill() -> Bool {
        field.type("x")
        return validate?() ?? false
    }
}
func use() {
    let form = Form()
    form.build()
    print(form.fill())
}
use()
