import GameprofAnalysis

/// The report as one page: no network, opens from disk, at most two megabytes whatever the trace.
public enum HTMLReport {
    /// Bytes that no page exceeds.
    public static let sizeLimit = 2_000_000

    /// Reads the source files that stacks name, where they can be read, for the lines that it shows.
    public static func render(_ report: Report, options: PageOptions = PageOptions()) throws -> String {
        try render(report, options: options, sizeLimit: sizeLimit)
    }

    static func render(_ report: Report, options: PageOptions = PageOptions(), sizeLimit: Int) throws -> String {
        let sources = SourceLines(of: report, areHidden: !options.showsSources)
        let names = report.typeNames
        var page = ""
        for (step, limits) in PageLimits.steps.enumerated() {
            var limits = limits
            limits.editor = options.editor
            let model = PageModel(
                report: report, names: names, limits: limits, sources: sources, index: options.index,
                explainsFootprint: options.explainsFootprint, isCut: step > 0)
            page = try PageTemplates.render(model.values, as: "page")
            if !page.isEmpty, page.utf8.count <= sizeLimit { return page }
        }
        throw ReportError.pageTooLarge(page.utf8.count)
    }
}
