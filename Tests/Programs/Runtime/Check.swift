// Prints what the self-check says about the runtime of this program.
import Glibc

if let check = dlsym(nil, "runtime_check") {
    unsafeBitCast(check, to: (@convention(c) () -> Void).self)()
}
