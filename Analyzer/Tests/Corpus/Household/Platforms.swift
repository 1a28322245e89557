import Foundation

/// What is not compiled on Linux keeps nothing there.
final class Display {
    var onDraw: (() -> Void)?
    var onClear: (() -> Void)?
    private var frames = 0

    func prepare() {
        onDraw = {  // no-finding: stored-closure
            #if canImport(UIKit) || os(macOS)
                self.frames += 1
            #endif
            print("drawn")
        }
        #if os(Linux) && DEBUG
            onClear = { self.frames = 0 }  // suspect: stored-closure
        #elseif !(os(Linux))
            onClear = { self.frames = 1 }  // no-finding: stored-closure
        #else
            onClear = { self.frames = 2 }  // suspect: stored-closure
        #endif
    }
}
