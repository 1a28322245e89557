import CRecorderCFI
import Foundation
import GameprofBasics
import GameprofHeap
import GameprofTrace

/// The executables and libraries of a running process, found by its list of mappings when code of theirs is met.
final class ProcessImages: CodeSource {
    private let pid: pid_t
    private var heads: [MemoryImage.Mapping] = []
    private var images: [LoadedImage?] = []
    private var lastLook: UInt64 = 0
    private var last: LoadedImage?
    /// Those that were met first, or have gone, since somebody asked.
    private var news: [ImageRecord] = []
    /// Changes with the list: what was learnt of addresses holds no more.
    private(set) var generation = 0

    /// The kernel writes the list anew each time: code that belongs to no file is met again and again.
    private static let lookInterval: UInt64 = 200_000_000

    init(of pid: pid_t) {
        self.pid = pid
        look()
    }

    /// None is known: the process has ended, or the kernel does not show them.
    var isEmpty: Bool { heads.isEmpty }

    func takeNews() -> [ImageRecord] {
        defer { news = [] }
        return news
    }

    /// The image with code at an address.
    func image(at address: UInt, now: UInt64) -> LoadedImage? {
        if let last, last.contains(address) { return last }
        if let found = find(address) { return found }
        guard now > lastLook &+ Self.lookInterval else { return nil }
        lastLook = now
        look()
        return find(address)
    }

    /// The image whose file has a name that begins so.
    func image(called name: String) -> LoadedImage? {
        let index = heads.firstIndex { ($0.file.split(separator: "/").last ?? "").hasPrefix(name) }
        return index.flatMap(load)
    }

    func read(at address: UInt64, into room: UnsafeMutableRawBufferPointer) -> Int {
        readMemory(of: pid, at: address, into: room)
    }

    /// The process's executable.
    var executable: LoadedImage? {
        let path = Self.executable(of: pid)
        return heads.firstIndex { $0.file == path }.flatMap(load)
    }

    /// As the kernel calls it.
    static func executable(of pid: pid_t) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
    }

    /// Where the files of images that were met can be read as long as the process lives, by their names.
    var places: [String: String] {
        Dictionary(
            images.compactMap { image in image?.openPath.map { (image?.record.path ?? "", $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// A file's name without what the kernel says of it.
    static func name(_ file: String) -> String {
        file.hasSuffix(deleted) ? String(file.dropLast(deleted.count)) : file
    }

    private static let deleted = " (deleted)"

    private func find(_ address: UInt) -> LoadedImage? {
        let behind = partition(0..<heads.count) { heads[$0].start > UInt64(address) }
        guard behind > 0, let image = load(behind - 1), image.contains(address) else { return nil }
        last = image
        return image
    }

    /// Copies it when it is met first.
    private func load(_ index: Int) -> LoadedImage? {
        if let image = images[index] { return image }
        let head = heads[index]
        guard head.file != Self.unusable else { return nil }
        let image: LoadedImage?
        if head.file == Self.vdso {
            image = LoadedImage(head: head, openPath: nil, read: Self.readOwnVDSO)
        } else {
            image = open(head)
        }
        if let image { news.append(image.record) } else { heads[index].file = Self.unusable }
        images[index] = image
        return image
    }

    private static let (vdso, unusable) = ("[vdso]", "")

    private func open(_ head: MemoryImage.Mapping) -> LoadedImage? {
        let range = "\(String(head.start, radix: 16))-\(String(head.end, radix: 16))"
        // The first is the very file, also where its name was given to another, and is root's alone; the second is the name in
        // the file system of the process.
        let isDeleted = head.file.hasSuffix(Self.deleted)
        let paths = ["/proc/\(pid)/map_files/\(range)"] + (isDeleted ? [] : ["/proc/\(pid)/root\(head.file)"])
        for path in paths {
            guard let file = try? RegularFile.open(path).descriptor else { continue }
            defer { close(file) }
            let image = LoadedImage(head: head, openPath: path) { offset, room in
                guard let start = off_t(exactly: offset), start <= off_t.max - off_t(room.count) else { return 0 }
                var done = 0
                while done < room.count {
                    let count = pread(file, room.baseAddress! + done, room.count - done, start + off_t(done))
                    if count < 0, errno == EINTR { continue }
                    if count <= 0 { break }
                    done += count
                }
                return done
            }
            if let image { return image }
        }
        // What is mapped has an end for each offset.
        let mappings = CopyPlan.mappings(of: pid).filter { $0.file == head.file && $0.start >= head.start }
        return LoadedImage(head: head, openPath: nil) { offset, room in
            guard let mapping = mappings.first(where: { $0.offset <= offset && offset - $0.offset < $0.end - $0.start })
            else { return 0 }
            let place = mapping.start + (offset - mapping.offset)
            let count = min(room.count, Int(mapping.end - place))
            return readMemory(of: pid, at: place, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
        }
    }

    /// The kernel gives all processes the same.
    private static func readOwnVDSO(_ offset: UInt64, _ room: UnsafeMutableRawBufferPointer) -> Int {
        guard let own = CopyPlan.mappings(of: getpid()).first(where: { $0.file == vdso }),
            offset < own.end - own.start, let start = UnsafeRawPointer(bitPattern: UInt(own.start + offset))
        else { return 0 }
        let count = min(room.count, Int(own.end - own.start - offset))
        room.baseAddress?.copyMemory(from: start, byteCount: count)
        return count
    }

    private func look() {
        var found: [MemoryImage.Mapping] = []
        var code: Set<String> = []
        for mapping in CopyPlan.mappings(of: pid) where mapping.isFile || mapping.file == Self.vdso {
            if mapping.isExecutable { code.insert(mapping.file) }
            if mapping.offset == 0 { found.append(mapping) }
        }
        found = found.filter { code.contains($0.file) }
        // The loader maps a part of the file again where it protects what it has written.
        var seen: Set<String> = []
        found = found.filter { $0.file == Self.vdso || seen.insert($0.file).inserted }
        // No list: the process has ended.
        guard !found.isEmpty else { return }
        var known: [UInt64: LoadedImage] = [:]
        for image in images.compactMap({ $0 }) { known[image.record.start] = image }
        let kept = found.map { head in known[head.start].flatMap { $0.record.path == Self.name(head.file) ? $0 : nil } }
        let gone = Set(known.keys).subtracting(kept.compactMap { $0?.record.start })
        for start in gone.sorted() {
            guard var record = known[start]?.record else { continue }
            record.isLoaded = false
            record.path = ""
            news.append(record)
        }
        (heads, images, last) = (found, kept, nil)
        generation += 1
    }
}
