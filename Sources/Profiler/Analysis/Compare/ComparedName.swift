/// What a function is known by in two profiles: its name and its module. A function of the program's own that belongs to
/// no Swift module, as `main`, is the same in a program whose file has another name.
struct ComparedName: Hashable {
    let name: String
    /// Empty: none, and of the program itself.
    let module: String

    init(_ function: Profile.Function, in profile: Profile) {
        name = function.name
        let isProgramsOwn = function.module == function.image && function.image == profile.program
        module = isProgramsOwn ? "" : function.module
    }
}
