import Foundation
import GameprofBasics
import Mustache
import Synchronization

/// The templates of pages. To parse all takes longer than all else that a small report costs, so that a page reads those alone
/// that its values lead to, and each is parsed once for all pages.
package enum PageTemplates {
    private static let sources: [String: [UInt8]] = [
        "page": PackageResources.page_mustache, "finding": PackageResources.finding_mustache,
        "findings": PackageResources.findings_mustache,
        "stack": PackageResources.stack_mustache, "drawing": PackageResources.drawing_mustache,
        "allocations": PackageResources.allocations_mustache, "hotspots": PackageResources.hotspots_mustache,
        "functions": PackageResources.functions_mustache, "listing": PackageResources.listing_mustache,
        "flame": PackageResources.flame_mustache, "comparison": PackageResources.comparison_mustache,
        "check": PackageResources.check_mustache, "heap": PackageResources.heap_mustache,
        "holder": PackageResources.holder_mustache, "heapdiff": PackageResources.heapdiff_mustache,
        "memory_warnings": PackageResources.memory_warnings_mustache,
        "probes": PackageResources.probes_mustache, "timeline": PackageResources.timeline_mustache,
        "why": PackageResources.why_mustache, "place": PackageResources.place_mustache,
        "more": PackageResources.more_mustache, "frames": PackageResources.frames_mustache,
        "compared": PackageResources.compared_mustache,
        "crash": PackageResources.crash_mustache, "threads": PackageResources.threads_mustache,
        "grew": PackageResources.grew_mustache,
        "stacks": PackageResources.stacks_mustache, "footprint": PackageResources.footprint_mustache,
        "reference_counting": PackageResources.reference_counting_mustache,
        "sorted_tables": PackageResources.sorted_tables_mustache,
        "files": PackageResources.files_mustache, "index": PackageResources.index_mustache,
        "objects": PackageResources.objects_mustache, "tasks": PackageResources.tasks_mustache,
        "live": PackageResources.live_mustache,
        "task_group": PackageResources.task_group_mustache, "task_section": PackageResources.task_section_mustache,
    ]

    /// The script of all pages.
    package static let script = String(decoding: PackageResources.page_js, as: UTF8.self)

    private static let parsed = Mutex<[String: MustacheTemplate]>([:])

    private static func template(_ name: String, _ text: String) throws -> MustacheTemplate {
        if let known = parsed.withLock({ $0[name] }) { return known }
        let template = try MustacheTemplate(string: text)
        parsed.withLock { $0[name] = template }
        return template
    }

    /// Has the templates of most pages parsed by another thread, so that a page that is written later need not wait for it.
    package static func prepare() {
        _ = startThread(isDetached: true) {
            _ = try? templates(for: "page", values: [:])
            for section in ["allocations", "timeline", "findings"] { _ = try? templates(for: section, values: nil) }
        }
    }

    /// `values` as the page of that template.
    package static func render(_ values: [String: Any], as name: String) throws -> String {
        try MustacheLibrary(templates: templates(for: name, values: values)).render(values, withTemplate: name) ?? ""
    }

    private static func templates(for name: String, values: [String: Any]?) throws -> [String: MustacheTemplate] {
        var templates: [String: MustacheTemplate] = [:]
        var wanted = [name]
        while let next = wanted.popLast() {
            guard templates[next] == nil, let bytes = sources[next] else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            templates[next] = try template(next, text)
            wanted += partials(of: text, values: next == name ? values : nil)
        }
        return templates
    }

    /// The templates that one calls. `values`: what its sections are looked up in; nil: not known.
    static func partials(of text: String, values: [String: Any]?) -> [String] {
        // Of each open section: whether it is shown, and nil where what stands in it is looked up elsewhere.
        var sections: [Bool?] = []
        var names: [String] = []
        var rest = Substring(text).utf8
        while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
            rest = rest[rest.index(after: brace)...]
            guard let kind = rest.dropFirst().first, rest.first == UInt8(ascii: "{") else { continue }
            let name = String(Substring(rest.dropFirst(2).prefix { $0 != UInt8(ascii: "}") }))
                .trimmingCharacters(in: .whitespaces)
            switch kind {
            case UInt8(ascii: "#"):
                sections.append(values == nil || sections.contains(nil) ? nil : isShown(values?[name]))
            case UInt8(ascii: "^"): sections.append(sections.contains(nil) ? nil : true)
            case UInt8(ascii: "/"): _ = sections.popLast()
            case UInt8(ascii: ">"): if !sections.contains(false) { names.append(name) }
            default: break
            }
        }
        return names
    }

    private static func isShown(_ value: Any?) -> Bool? {
        guard let value else { return false }
        if let flag = value as? Bool { return flag }
        return (value as? [Any])?.isEmpty == true ? false : nil
    }
}
