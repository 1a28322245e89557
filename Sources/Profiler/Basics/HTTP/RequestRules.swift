/// Which requests a listener answers.
///
/// A page of a web site that the user visits may send requests here, under a name of its own that it lets stand for this
/// address: `Host` must be one of this machine's.
package struct RequestRules: Sendable {
    package var methods: Set<HTTPRequest.Method>
    /// Requests of scripts of the page that is served are answered: those whose `Origin` is the `Host` that was asked.
    package var takesOwnOrigin: Bool
    /// `Host` may be any address, else 127.0.0.1 or localhost alone.
    private var takesAddresses: Bool

    /// Figures for tools: GET, and nothing of scripts.
    package static let figures = RequestRules(methods: [.get, .head], takesOwnOrigin: false, takesAddresses: true)
    /// A page with buttons.
    package static let page = RequestRules(methods: [.get, .head, .post], takesOwnOrigin: true, takesAddresses: false)

    /// Any port: it may be forwarded from another one.
    func allows(host: String) -> Bool {
        let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" }).lowercased()
        if !takesAddresses { return name == "localhost" || name == "127.0.0.1" }
        return name == "localhost" || name.isEmpty || name.hasPrefix("[")
            || name.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    }

    /// - Parameter site: whose page sends the request, as the browser says it (`Sec-Fetch-Site`).
    func allows(site: String) -> Bool {
        takesOwnOrigin ? site == "same-origin" || site == "none" : site != "cross-site"
    }
}
