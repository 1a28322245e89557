import Foundation
import StaticFindingModel
import StaticLook

/// Prints suspects as JSON, or as lines of a build log. `gameprof analyze` draws them.
@main
enum EntryPoint {
    static func main() {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.listsRules {
                for rule in Rules.list { print("\(rule.name)\t\(rule.summary)") }
                return
            }
            let analyzer = Analyzer(jobs: options.jobs, cache: options.cache, index: options.index)
            let list = try analyzer.analyze(options.paths)
            exit(try Output(options: options).write(list))
        } catch let error as UsageError {
            fail(error.description, 2)
        } catch let error as AnalyzerError {
            fail(error.description, 2)
        } catch {
            fail("\(error)", 4)
        }
    }

    private static func fail(_ sentence: String, _ status: Int32) -> Never {
        FileHandle.standardError.write(Data("gameprof-analyze: \(sentence)\n".utf8))
        exit(status)
    }
}
