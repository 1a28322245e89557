// Lost: parent strong
final class Folder {
    let name: String
    private var parent: Folder?  // leak
    private var entries: [Folder] = []
    init(name: String) { self.name = name }
    func add(_ folder: Folder) {
        folder.parent = self
        entries.append(folder)
    }
    var path: String { (parent.map { $0.path } ?? "") + "/" + name }
}
func build() -> String {
    let root = Folder(name: "root")
    let home = Folder(name: "home")
    root.add(home)
    return home.path
}
print(build())
