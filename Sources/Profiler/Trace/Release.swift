import CTraceFormat

/// The release of the project: tool and recorder have the same number.
public enum Release {
    public static let current = GP_RELEASE
}
