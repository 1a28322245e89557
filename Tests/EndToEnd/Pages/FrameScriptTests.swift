import Foundation
import Testing

/// The frames of a run in a real browser.
@Suite(.enabled(if: Browser.isInstalled)) struct FrameScriptTests {
    private func open(_ fragment: String = "", width: Int = 1200) throws -> Browser {
        let browser = try Browser()
        try browser.open(
            try #require(URL(string: try PageScriptTests.Page.animation.written().absoluteString + fragment)),
            width: width)
        try browser.evaluate(
            """
            window.bars = document.querySelector(".frame-bars");
            window.chosen = () => document.querySelector(".frame-chosen").innerText;
            window.press = (key, shiftKey = false) => bars.dispatchEvent(
              new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
            """)
        return browser
    }

    private func chosen(_ browser: Browser) throws -> String {
        try #require(browser.evaluate("chosen()") as? String)
    }

    @Test func `a run with frames begins with them, the slowest beside the median`() throws {
        let browser = try open()
        #expect(try browser.evaluate("document.querySelector('main section').id") as? String == "frames")
        let slowest = try chosen(browser)
        for part in ["Slowest: frame", "simulate", "draw", "over", "allocations"] {
            #expect(slowest.contains(part), "\(part): \(slowest)")
        }
        let median = try #require(browser.evaluate("document.querySelector('.frame-median').innerText") as? String)
        #expect(median.contains("Median: frame") && median.contains("present") && !median.contains("load picture"))
        // On a loaded machine frames are slow for other reasons, too.
        let causes = "[...document.querySelectorAll('.frame-why')].map((why) => why.textContent)"
        let told = try #require(browser.evaluate(causes) as? [String])
        #expect(
            told.contains { $0.contains(": simulate ") && $0.contains(" › load picture ") && $0.contains(" waited ") },
            "\(told)")
        let bins = try browser.evaluate("document.querySelectorAll('.histogram rect').length") as? Int
        #expect(bins == 31)
        #expect(browser.errors == [])
    }

    @Test(arguments: [420, 1200]) func `a click and the keys open frames, and select them everywhere`(_ width: Int)
        throws
    {
        let browser = try open(width: width)
        try browser.evaluate(
            """
            (() => {
              const box = bars.getBoundingClientRect();
              bars.dispatchEvent(new MouseEvent("click", { clientX: box.left + 0.1 / 60 * box.width, clientY: box.top + 90 }));
            })()
            """)
        #expect(try chosen(browser).contains("Chosen: frame 1 "))
        #expect(
            try browser.evaluate("gp.frame.number === 1 && Math.abs(gp.range.to - gp.frame.to) < 1e-6") as? Bool == true
        )
        try browser.evaluate("press('ArrowRight')")
        #expect(try chosen(browser).contains("Chosen: frame 2 "))
        try browser.evaluate("press('ArrowRight', true)")
        #expect(try browser.evaluate("gp.took(gp.frame) > gp.budgetOf(gp.loops[0])") as? Bool == true)
        #expect(try #require(browser.evaluate("document.documentElement.scrollWidth") as? Int) <= width)
        #expect(browser.errors == [])
    }

    @Test func `a row of the table opens its frame, which the address keeps`() throws {
        let browser = try open()
        try browser.evaluate("document.querySelectorAll('#frames-0 [data-frame]')[1].click()")
        let number = try #require(browser.evaluate("gp.frame.number") as? Int)
        #expect(try chosen(browser).contains("frame \(number) "))
        try browser.evaluate("new Promise((done) => setTimeout(done, 300))")
        let again = try open(try #require(browser.evaluate("location.hash") as? String))
        #expect(try again.evaluate("gp.frame.number") as? Int == number)
        #expect(
            try again.evaluate("document.querySelector('#frames-0 tr.here').dataset.number") as? String == "\(number)")
        #expect(browser.errors == [] && again.errors == [])
    }

    @Test func `another budget counts and colours the frames anew`() throws {
        let browser = try open()
        let over = "parseInt(document.querySelector('.frame-over').textContent)"
        let before = try #require(browser.evaluate(over) as? Int)
        try browser.evaluate(
            """
            { const chooser = document.querySelector(".frame-budget");
              chooser.selectedIndex = 1; chooser.dispatchEvent(new Event("change")); }
            """)
        #expect(try #require(browser.evaluate(over) as? Int) >= before)
        #expect(try browser.evaluate("Math.abs(gp.budgetOf(gp.loops[0]) - 1 / 240) < 1e-9") as? Bool == true)
        #expect(try #require(browser.evaluate("document.querySelectorAll('.histogram .late').length") as? Int) > 21)
        #expect(browser.errors == [])
    }
}
