/// What the recorder of this process has to say.
package enum Collected<Figures> {
    case figures(Figures)
    /// It is asked by another thread, or has no memory for it.
    case busy
    /// It does not record what is needed.
    case notRecorded
}
