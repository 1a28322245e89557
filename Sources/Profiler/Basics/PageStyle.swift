/// The style sheet that all pages share: the reports, and the history of many runs in its own package.
public enum PageStyle {
    /// As UTF-8.
    public static var css: [UInt8] { PackageResources.page_css }
}
