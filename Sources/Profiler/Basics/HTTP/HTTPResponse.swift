/// What is sent back for a request.
package struct HTTPResponse: Sendable {
    package var status: Int
    /// The value of the header `Content-Type`.
    package var contentType: String
    package var body: [UInt8]

    package init(_ status: Int, contentType: String, body: [UInt8] = []) {
        (self.status, self.contentType, self.body) = (status, contentType, body)
    }

    /// A sentence.
    package static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status, contentType: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }

    static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 421: "Misdirected Request"
        case 503: "Service Unavailable"
        default: "Error"
        }
    }
}
