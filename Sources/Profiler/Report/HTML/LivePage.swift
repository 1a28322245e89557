import GameprofBasics

/// The page of a running program: an empty one, which asks for its figures.
package enum LivePage {
    package static func render(program: String, process: Bool) throws -> String {
        try PageTemplates.render(
            [
                "style": [PageStyle.css, PackageResources.timeline_css, PackageResources.live_css]
                    .map { String(decoding: $0, as: UTF8.self) }.joined(),
                "script": PageTemplates.script + String(decoding: PackageResources.live_js, as: UTF8.self),
                "program": PageText.clean(program, limit: 120), "isProcess": process,
            ], as: "live")
    }
}
