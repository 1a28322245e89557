import Foundation

/// Standard input of a program that is run more than once: each run shall read the same.
struct InputOfRuns {
    /// Where it stood; negative: it can be read only once.
    private let start = lseek(STDIN_FILENO, 0, SEEK_CUR)

    /// Before each run: the input begins where it stood. From a pipe no run but the first could read, so none does; a
    /// terminal has a user, who can type again.
    func restart() {
        if start >= 0 {
            lseek(STDIN_FILENO, start, SEEK_SET)
        } else if isatty(STDIN_FILENO) == 0 {
            let none = open("/dev/null", O_RDONLY)
            guard none > STDIN_FILENO else { return }
            dup2(none, STDIN_FILENO)
            close(none)
        }
    }
}
