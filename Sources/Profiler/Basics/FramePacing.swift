/// Which intervals wait for the screen: by their name, as engines call it. They are no work of a frame.
public enum FramePacing {
    private static let names: Set = ["present", "vsync", "pacing", "frame pacing", "wait for vsync", "wait for screen"]

    public static func isWaiting(_ interval: String) -> Bool { names.contains(interval.lowercased()) }
}
