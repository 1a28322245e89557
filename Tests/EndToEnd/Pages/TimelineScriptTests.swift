import Foundation
import Testing

/// The timeline in a real browser, used with the wheel, the mouse and the keys.
@Suite(.enabled(if: Browser.isInstalled)) struct TimelineScriptTests {
    /// A page with what the tests say of its canvas.
    private func open(
        _ fragment: String = "", of page: PageScriptTests.Page = .animation, width: Int = 1200
    ) throws -> Browser {
        let browser = try Browser()
        let page = try #require(URL(string: try page.written().absoluteString + fragment))
        try browser.open(page, width: width)
        try browser.evaluate(
            """
            window.canvas = document.querySelector("#timeline canvas");
            window.view = () => new URLSearchParams(location.hash.slice(1)).get("view")?.split("-").map(Number);
            window.settled = () => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 350));
            window.press = (key, shiftKey = false) => canvas.dispatchEvent(
              new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
            window.place = (share, y) => {
              const box = canvas.getBoundingClientRect();
              return { clientX: box.left + share * box.width, clientY: box.top + y, bubbles: true, cancelable: true };
            };
            window.point = (type, share, y, more = {}) =>
              canvas.dispatchEvent(new PointerEvent(type, { button: 0, ...place(share, y), ...more }));
            window.click = (share, y) => { point("pointerdown", share, y); point("pointerup", share, y); };
            """)
        return browser
    }

    private func view(_ browser: Browser) throws -> [Double] {
        try browser.evaluate("settled()")
        return try #require(browser.evaluate("view()") as? [NSNumber]).map(\.doubleValue)
    }

    @Test func `the wheel zooms at the pointer down to microseconds, and the address keeps the view`() throws {
        let browser = try open()
        let span = try #require(
            browser.evaluate("Number(document.getElementById('timeline-view').dataset.span)") as? Double)
        try browser.evaluate(
            "for (let i = 0; i < 2; i += 1) canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -120, ...place(0.25, 50) }))"
        )
        let first = try view(browser)
        #expect(first[1] - first[0] < span / 2)
        #expect(abs(first[0] + 0.25 * (first[1] - first[0]) - span / 4) < span / 1000)
        try browser.evaluate(
            "for (let i = 0; i < 60; i += 1) canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -120, ...place(0.25, 50) }))"
        )
        let deepest = try view(browser)
        #expect(deepest[1] - deepest[0] < 3e-6)
        try browser.evaluate(
            "for (let i = 0; i < 90; i += 1) canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: 120, ...place(0.25, 50) }))"
        )
        try browser.evaluate("settled()")
        #expect(try browser.evaluate("location.hash.includes('view')") as? Bool == false)
        // The wheel is the page's again.
        #expect(
            try browser.evaluate("canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: 120, ...place(0.25, 50) }))")
                as? Bool
                == true)
        #expect(browser.errors == [])
    }

    @Test func `the timelines of a comparison move together, and nothing can be selected on them`() throws {
        let browser = try open(of: .comparison)
        let names = "[...document.querySelectorAll('.timeline-names button')].map((b) => b.title.split(' · ')[0])"
        let sides = try #require(browser.evaluate(names) as? [String])
        let before = sides.prefix { $0 == "before" }
        #expect(before.count > 1 && sides.count > before.count + 1)
        #expect(sides.dropFirst(before.count).allSatisfy { $0 == "after" })
        // What the threads of the later recording did has names of its own.
        let own = """
            gp.threads.every((track) => track.rows.every((row) => row.doing.every(
              (doing) => (doing > gp.doings.indexOf("other")) === track.name.startsWith("after"))))
            """
        #expect(try browser.evaluate(own) as? Bool == true)
        try browser.evaluate("press('+')")
        let zoomed = try view(browser)
        try browser.evaluate(
            """
            point('pointerdown', 0.25, 50, { shiftKey: true }); point('pointermove', 0.75, 50); point('pointerup', 0.75, 50);
            click(0.5, 50); press('ArrowRight', true); press('Enter'); press('Escape')
            """)
        #expect(try view(browser) != zoomed, "the view follows the cursor")
        #expect(try browser.evaluate("gp.range === null") as? Bool == true)
        #expect(browser.errors == [])
    }

    @Test func `dragging moves the view, and Shift selects a range that an address opens again`() throws {
        let browser = try open("#view=0.2-0.4")
        let before = try view(browser)
        try browser.evaluate(
            "point('pointerdown', 0.75, 50); point('pointermove', 0.25, 50); point('pointerup', 0.25, 50)")
        let after = try view(browser)
        #expect(abs(after[0] - before[0] - 0.1) < 0.005 && abs(after[1] - before[1] - 0.1) < 0.005)
        #expect(try browser.evaluate("gp.range === null") as? Bool == true)
        try browser.evaluate(
            "point('pointerdown', 0.25, 50, { shiftKey: true }); point('pointermove', 0.75, 50); point('pointerup', 0.75, 50)"
        )
        let range = try #require(browser.evaluate("[gp.range.from, gp.range.to]") as? [Double])
        #expect(abs(range[1] - range[0] - 0.1) < 0.005)
        try browser.evaluate("settled()")
        let again = try open(try #require(browser.evaluate("location.hash") as? String))
        let kept = try #require(again.evaluate("[gp.range.from, gp.range.to]") as? [Double])
        #expect(abs(kept[0] - range[0]) < 1e-6 && abs(kept[1] - range[1]) < 1e-6)
        #expect(browser.errors == [] && again.errors == [])
    }

    @Test func `keys zoom, move the cursor and select, and the page says what each track shows there`() throws {
        let browser = try open()
        try browser.evaluate("canvas.focus(); press('+'); press('+'); press('ArrowRight')")
        let zoomed = try view(browser)
        let said = try #require(browser.evaluate("document.getElementById('timeline-now').textContent") as? String)
        for word in ["At ", "main: ", "frames: frame ", "resident: "] { #expect(said.contains(word), "\(said)") }
        try browser.evaluate("press('ArrowLeft'); press('ArrowLeft')")
        #expect(try view(browser)[0] < zoomed[0])
        try browser.evaluate("press('ArrowRight', true); press('ArrowRight', true)")
        #expect(try browser.evaluate("gp.range.to > gp.range.from") as? Bool == true)
        try browser.evaluate("press('Escape')")
        #expect(try browser.evaluate("gp.range === null") as? Bool == true)
        try browser.evaluate("press('Home'); settled()")
        #expect(try browser.evaluate("view() === undefined") as? Bool == true)
        #expect(
            try browser.evaluate("canvas.tabIndex === 0 && canvas.getAttribute('aria-label').length > 0") as? Bool
                == true)
        #expect(browser.errors == [])
    }

    @Test func `a click on a frame over the budget selects it everywhere`() throws {
        let browser = try open()
        let clicked = """
            (() => {
              const track = gp.loops[0];
              const slow = track.all.find((one) => gp.took(one) > gp.budgetOf(track));
              const span = Number(document.getElementById("timeline-view").dataset.span);
              click((slow.from + slow.to) / 2 / span, track.y + track.tall - 3);
              return gp.frame === slow && Math.abs(gp.range.from - slow.from) < 1e-6 && slow.number;
            })()
            """
        let number = try #require(browser.evaluate(clicked) as? Int)
        #expect(number > 0)
        let shown =
            "[...document.querySelectorAll('#frames-0 tbody tr:not(.out) th')].map((th) => parseInt(th.textContent))"
        #expect(try browser.evaluate(shown) as? [Int] == [number])
        #expect(browser.errors == [])
    }

    @Test(arguments: [420, 1200]) func `a track folds, and the address keeps it`(_ width: Int) throws {
        let browser = try open(width: width)
        let main = "[...document.querySelectorAll('.timeline-names button')].find((b) => b.textContent === 'main')"
        let height = try #require(browser.evaluate("canvas.offsetHeight") as? Int)
        try browser.evaluate("\(main).click()")
        #expect(try #require(browser.evaluate("canvas.offsetHeight") as? Int) < height)
        try browser.evaluate("settled()")
        let again = try open(try #require(browser.evaluate("location.hash") as? String), width: width)
        #expect(try again.evaluate("\(main).getAttribute('aria-expanded')") as? String == "false")
        #expect(try #require(again.evaluate("document.documentElement.scrollWidth") as? Int) <= width)
        #expect(browser.errors == [] && again.errors == [])
    }

    @Test func `the buttons zoom, select and lead to the selection`() throws {
        let browser = try open()
        try browser.evaluate("document.querySelector('[data-move=in]').click()")
        let zoomed = try view(browser)
        try browser.evaluate("document.getElementById('range-pick').click()")
        try browser.evaluate(
            "point('pointerdown', 0.4, 50); point('pointermove', 0.5, 50); point('pointerup', 0.5, 50)")
        try browser.evaluate("document.getElementById('range-zoom').click()")
        let selected = try view(browser)
        #expect(selected[1] - selected[0] < (zoomed[1] - zoomed[0]) / 4)
        try browser.evaluate(
            "document.getElementById('range-reset').click(); document.querySelector('[data-move=all]').click(); settled()"
        )
        #expect(try browser.evaluate("gp.range === null && view() === undefined") as? Bool == true)
        #expect(browser.errors == [])
    }
}
