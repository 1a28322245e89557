import GameprofRendering
import GameprofReportModel
import Mustache

/// The report as one page: no network, opens from disk, at most two megabytes whatever the trace.
public enum HTMLReport {
    /// Bytes that no page exceeds.
    public static let sizeLimit = 2_000_000

    /// Reads the source files that stacks name, where they can be read, for the lines that it shows.
    public static func render(_ report: Report, options: PageOptions = PageOptions()) throws -> String {
        try render(report, options: options, sizeLimit: sizeLimit)
    }

    static func render(_ report: Report, options: PageOptions = PageOptions(), sizeLimit: Int) throws -> String {
        let library = try templates()
        let sources = SourceLines()
        let names = report.typeNames
        var page = ""
        for (step, limits) in PageLimits.steps.enumerated() {
            var limits = limits
            limits.editor = options.editor
            let model = PageModel(
                report: report, names: names, limits: limits, sources: sources, index: options.index,
                explainsFootprint: options.explainsFootprint, isCut: step > 0)
            page = library.render(model.values, withTemplate: "page") ?? ""
            if !page.isEmpty, page.utf8.count <= sizeLimit { return page }
        }
        throw ReportError.pageTooLarge(page.utf8.count)
    }

    static func templates() throws -> MustacheLibrary {
        let sources: [(String, [UInt8])] = [
            ("page", PackageResources.page_mustache), ("finding", PackageResources.finding_mustache),
            ("stack", PackageResources.stack_mustache), ("drawing", PackageResources.drawing_mustache),
            ("allocations", PackageResources.allocations_mustache), ("hotspots", PackageResources.hotspots_mustache),
            ("flame", PackageResources.flame_mustache), ("comparison", PackageResources.comparison_mustache),
            ("check", PackageResources.check_mustache), ("heap", PackageResources.heap_mustache),
            ("holder", PackageResources.holder_mustache), ("heapdiff", PackageResources.heapdiff_mustache),
            ("probes", PackageResources.probes_mustache), ("timeline", PackageResources.timeline_mustache),
            ("why", PackageResources.why_mustache), ("place", PackageResources.place_mustache),
            ("more", PackageResources.more_mustache), ("range", PackageResources.range_mustache),
            ("crash", PackageResources.crash_mustache), ("grew", PackageResources.grew_mustache),
            ("stacks", PackageResources.stacks_mustache), ("footprint", PackageResources.footprint_mustache),
            ("files", PackageResources.files_mustache), ("index", PackageResources.index_mustache),
            ("objects", PackageResources.objects_mustache),
        ]
        var templates: [String: MustacheTemplate] = [:]
        for (name, bytes) in sources {
            templates[name] = try MustacheTemplate(string: String(decoding: bytes, as: UTF8.self))
        }
        return MustacheLibrary(templates: templates)
    }
}
