import Testing

@testable import GameprofReport

struct PageTemplateTests {
    @Test func `a page reads the templates that its values lead to`() {
        let text = """
            {{#heap}}{{> heap}}{{/heap}}{{#list}}{{#stack}}{{> stack}}{{/stack}}{{/list}}{{^heap}}{{> none}}{{/heap}}
            {{#flag}}{{> flag}}{{#heap}}{{> inner}}{{/heap}}{{/flag}}{{{text}}}{{#items}}{{>items}}{{/items}}{{> always }}
            """
        #expect(
            PageTemplates.partials(of: text, values: nil) == [
                "heap", "stack", "none", "flag", "inner", "items", "always",
            ])
        let values: [String: Any] = ["heap": false, "list": [["stack": 1]], "flag": true, "items": [String]()]
        #expect(PageTemplates.partials(of: text, values: values) == ["stack", "none", "flag", "always"])
    }
}
