// The program of LivingHeap.md: it opens galleries one after the other, and none of them is ever freed.
import Foundation

final class Picture {
    let pixels = [UInt8](repeating: 128, count: 38_400)
}

final class GalleryScreen {
    private var pictures: [Picture] = []

    func open() {
        for _ in 0..<8 { pictures.append(Picture()) }
        _ = NotificationCenter.default.addObserver(forName: Self.albumChanged, object: nil, queue: nil) { _ in
            self.reload()
        }
    }

    private func reload() { pictures.removeAll { $0.pixels.isEmpty } }

    private static let albumChanged = Notification.Name("album changed")
}

for _ in 0..<(Int(CommandLine.arguments[1]) ?? 1) {
    let screen = GalleryScreen()
    screen.open()
}
