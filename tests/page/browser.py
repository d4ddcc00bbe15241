"""Opens the sample pages in a headless Chromium, uses pointer and keyboard, and checks the effects.

browser.py page_sample [FOLDER]: with a folder, screenshots are saved there.
Exits 77 (skipped) without Chromium.
"""
import json
import os
import subprocess
import sys
import tempfile

import chromium

READY = "document.querySelectorAll('figure.heat:not(.ready)').length === 0"
STRIP = "document.querySelectorAll('figure.strip')[%d]"


def same(seen, wanted, what):
    if seen != wanted:
        raise AssertionError("%s: %r, not %r" % (what, seen, wanted))


def true(value, what):
    if not value:
        raise AssertionError(what)


def open_ready(browser, path):
    browser.open(path)
    browser.wait_for(READY)


def column(browser, index):
    return browser.run("Array.from(document.querySelectorAll('tbody tr'),"
                       " (row) => row.cells[%d].textContent)" % index)


def check_sorting(browser):
    button = "document.querySelectorAll('th button')[%d]"
    before = column(browser, 3)
    true(before != sorted(before, key=float), "the sample's sums should not begin in order")
    browser.point(button % 3, click=True)
    same(column(browser, 3), sorted(before, key=float), "sorted upward")
    same(browser.run("document.querySelectorAll('th')[3].getAttribute('aria-sort')"), "ascending",
         "what is said of it")
    # again with the keyboard, and another column
    browser.run((button % 3) + ".focus()")
    browser.press("Enter")
    same(column(browser, 3), sorted(before, key=float, reverse=True), "sorted downward")
    browser.point(button % 5, click=True)
    same(column(browser, 5), ["no", "no", "yes", "yes"], "sorted by words")
    same(browser.run("document.querySelectorAll('th[aria-sort]').length"), 1, "sorted columns")


def check_curves(browser):
    figure = "document.querySelectorAll('figure.curves')[0]"
    legend = figure + ".querySelectorAll('.legend button')"
    group = figure + ".querySelectorAll('.series')[1]"
    visible = "getComputedStyle(%s).display !== 'none'" % group
    true(browser.run(visible), "the second curve is there")
    browser.point(legend + "[1]", click=True)
    true(not browser.run(visible), "the second curve is toggled off")
    same(browser.run(legend + "[1].getAttribute('aria-pressed')"), "false", "its button")
    browser.run(legend + "[1].focus()")
    browser.press("Enter")
    true(browser.run(visible), "the second curve is toggled on again, from the keyboard")

    # half-way through 63 steps is step 31
    browser.point(figure + ".querySelector('svg.plot')", 0.5, 0.3)
    same(browser.run(figure + ".querySelector('.at').textContent"), "episode step 31", "the step")
    for k in range(2):
        wanted = float(browser.run(figure + ".querySelectorAll('.series')[%d]"
                                   ".dataset.y.split(',')[31]" % k))
        seen = browser.run(legend + "[%d].querySelector('b').textContent" % k)
        true(abs(float(seen.replace("\u2212", "-")) - wanted) <= 1e-3 * abs(wanted),
             "value under the pointer: %s, not %g" % (seen, wanted))
    browser.run(figure + ".querySelector('svg.plot').focus()")
    browser.press("Home")
    browser.press("ArrowRight")
    same(browser.run(figure + ".querySelector('.at').textContent"), "episode step 1", "by key")
    true("demonstration 0" in browser.run(figure + ".querySelector('output').textContent"),
         "what a screen reader says")
    browser.press("Escape")
    same(browser.run(figure + ".querySelector('.at').textContent"), "", "after Escape")


def check_heat_maps(browser):
    figure = "document.querySelectorAll('figure.heat')[%d]"
    said = figure + ".querySelector('output').textContent"
    cells = figure + ".querySelector('.cells')"
    browser.point(cells % 0, (20 + 0.5) / 63, (18 + 0.5) / 63)
    start = "episode step 18, demonstration step 20: "
    true(browser.run(said % 0).startswith(start), "under the pointer: " + browser.run(said % 0))
    true(browser.run(said % 1).startswith(start), "the plan beside it follows")
    same(browser.run(said % 2), "", "the next episode does not")
    # the colour at the pointer corresponds to the value shown
    value = float(browser.run(said % 0)[len(start):])
    pixel = browser.run("Array.from(%s.querySelector('canvas').getContext('2d')"
                        ".getImageData(20, 18, 1, 1).data)" % (figure % 0))
    wanted = browser.run(
        "(() => { const d = %s.dataset;"
        " const k = 6 * Math.round(255 * (%r - d.colourLow) / (d.colourHigh - d.colourLow));"
        " const c = document.querySelector('meta[name=colours]').content.slice(k, k + 6);"
        " return [0, 2, 4].map((i) => parseInt(c.slice(i, i + 2), 16)); })()" % (cells % 0, value))
    true(max(abs(a - b) for a, b in zip(pixel, wanted)) <= 3 and pixel[3] == 255,
         "the colour %r is not %r" % (pixel, wanted))
    same(browser.run("%s.querySelector('canvas').getContext('2d').getImageData(60, 2, 1, 1).data[3]"
                     % (figure % 0)), 0, "outside cells are clear")

    browser.run((cells % 0) + ".focus()")
    browser.press("ArrowDown")
    true(browser.run(said % 0).startswith("episode step 19, demonstration step 20: "), "down")
    browser.press("ArrowRight", shift=True)
    same(browser.run(said % 0), "episode step 19, demonstration step 30: outside", "right by ten")
    browser.press("End")
    true(browser.run(said % 0).startswith("episode step 62, demonstration step 62: "), "End")
    browser.press("ArrowRight")
    true(browser.run(said % 0).startswith("episode step 62, demonstration step 62: "), "the edge")
    for _ in range(2):
        browser.press("ArrowLeft", shift=True)
    same(browser.run(said % 0), "episode step 62, demonstration step 42: outside", "outside")
    browser.press("Escape")
    same(browser.run(said % 0), "", "after Escape")


def open_strip(browser, index):
    """Pictures are decoded when a strip becomes visible."""
    browser.run((STRIP % index) + ".scrollIntoView()")
    browser.wait_for((STRIP % index) + ".matches('.ready')")


def marked(browser, figure, row):
    """The pictures of a row that are marked."""
    path = browser.run("%s.querySelectorAll('.mark')[%d].getAttribute('d') || ''" % (figure, row))
    return [int(part.split(" ")[0]) for part in path.split("M")[1:]]


def row_data(browser, figure, row, name):
    words = browser.run("%s.querySelectorAll('.frames')[%d].dataset.%s" % (figure, row, name))
    return [float(word) if word else None for word in words.split(",")]


def nearest(steps, step):
    return min(range(len(steps)), key=lambda k: (abs(steps[k] - step), -k))


def number(text):
    return float(text.replace("\u2212", "-"))


def check_strips(browser):
    figure = STRIP % 0
    said = figure + ".querySelector('output').textContent"
    sheet = figure + ".querySelectorAll('.sheet')[%d]"
    open_strip(browser, 0)
    same(browser.run("Array.from(%s.querySelectorAll('img'), (i) => i.complete && i.naturalWidth)"
                     % figure), [24 * 112, 24 * 112], "pictures")
    steps = row_data(browser, figure, 1, "steps")
    values = row_data(browser, figure, 1, "values")
    match = row_data(browser, figure, 1, "match")
    same((steps[0], steps[-1], len(steps), len(values), len(match)), (0, 62, 24, 63, 63), "steps")

    def check_step(step):
        words = browser.run(said).split(", ")
        same(words[0], "episode step %d" % step, "what is said")
        true(abs(number(words[1].split(" ")[1]) - values[step]) <= 1e-3 * abs(values[step]),
             "the reward of step %d: %s, not %g" % (step, words[1], values[step]))
        same(words[2], "matches demonstration step %d" % match[step], "its match")
        same(marked(browser, figure, 1), [nearest(steps, step)], "the picture")
        same(marked(browser, figure, 0), [nearest(steps, match[step])], "the matching picture")

    check_step(0)
    # pointing at the middle of picture 6
    browser.point(sheet % 1, 6.5 / 24)
    check_step(int(steps[6]))
    # the magnified picture is the one on the sheet
    same(browser.run(
        "(() => { const f = %s; const c = document.createElement('canvas');"
        " const i = f.querySelectorAll('img')[1];"
        " const seen = f.querySelectorAll('.look canvas')[1];"
        " c.width = seen.width; c.height = seen.height; const p = c.getContext('2d');"
        " p.drawImage(i, -6 * seen.width, 0);"
        " const all = (x) => x.getImageData(0, 0, c.width, c.height).data.join();"
        " return c.width === 112 && all(p) === all(seen.getContext('2d')); })()" % figure), True,
         "the picture looked at")
    # along the curve: half-way through 62 is step 31
    browser.point(figure + ".querySelector('.area svg.plot')", 0.5, 0.5)
    check_step(31)
    true(browser.run("getComputedStyle(%s.querySelector('.area .dot')).display !== 'none'"
                     % figure), "a dot on the curve")

    # with the keyboard, to the end; the strip fits the window, so that nothing scrolls
    browser.run((sheet % 1) + ".focus()")
    browser.press("ArrowRight")
    check_step(32)
    browser.press("ArrowLeft", shift=True)
    check_step(22)
    browser.press("End")
    browser.press("ArrowRight")
    check_step(62)
    same(browser.run((sheet % 1) + ".getAttribute('aria-valuetext')"), browser.run(said), "spoken")
    box = browser.run("(() => { const s = %s.querySelector('.scroll');"
                      " return [s.scrollLeft, s.scrollWidth, s.clientWidth]; })()" % figure)
    true(box[0] == 0 and box[1] <= box[2], "all pictures are in sight: %r" % box)
    browser.press("Home")
    check_step(0)

    # from the demonstration's row: all steps that match it
    step = int(match[31])
    back = [k for k, one in enumerate(match) if one == step]
    browser.run((sheet % 0) + ".focus()")
    for _ in range(step - int(match[0])):
        browser.press("ArrowRight")
    true(browser.run(said).startswith("demonstration step %d, matched by episode step" % step),
         "from the other side: " + browser.run(said))
    true(all(str(k) in browser.run(said) for k in (back[0], back[-1])), "all that match it")
    same(sorted(set(nearest(steps, k) for k in back)), sorted(marked(browser, figure, 1)), "marks")


def check_keyboard(browser):
    """Tab alone reaches every control."""
    browser.run("document.activeElement.blur(); scrollTo(0, 0)")
    wanted = browser.run("document.querySelectorAll('button, summary, .table, .plot[tabindex],"
                         " .cells, .sheet').length")
    reached = set()
    for _ in range(wanted):
        browser.press("Tab")
        reached.add(browser.run(
            "Array.from(document.querySelectorAll('*')).indexOf(document.activeElement)"))
    same(len(reached), wanted, "elements reached by Tab")


def check_looks(browser, page, folder):
    backgrounds = {}
    for name, settings in {
            "light": {"width": 1200, "height": 900},
            "dark": {"width": 1200, "height": 900, "dark": True},
            "phone": {"width": 390, "height": 844, "phone": True},
            "small": {"width": 320, "height": 600, "phone": True},
            "print": {"width": 800, "height": 1100, "dark": True, "media": "print"}}.items():
        browser.show(**settings)
        open_ready(browser, page)
        backgrounds[name] = browser.run("getComputedStyle(document.body).backgroundColor")
        wide = browser.run("document.documentElement.scrollWidth")
        true(wide <= settings["width"], "%s: the page is %d wide" % (name, wide))
        open_strip(browser, 0)
        if settings.get("media") == "print":
            same(browser.run("Array.from(document.querySelectorAll('.sheet img'), (i) =>"
                             " i.getBoundingClientRect().right <= innerWidth + 1)"),
                 [True] * 4, "pictures on the paper")
        if folder:
            browser.screenshot(os.path.join(folder, name + ".png"))
    same(backgrounds["light"], "rgb(255, 255, 255)", "light paper")
    true(backgrounds["dark"] != backgrounds["light"], "dark is another colour")
    same(backgrounds["print"], "rgb(255, 255, 255)", "paper is light for dark screens too")
    browser.show(1200, 900)


def check_without_script(browser, page):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    box = browser.run("(() => { const b = document.querySelector('.line').getBoundingClientRect();"
                      " return [b.width, b.height]; })()")
    true(box[0] > 500 and box[1] > 50, "a curve without script: %r" % box)
    sizes = browser.run("Array.from(document.querySelectorAll('.sheet img'), (i) =>"
                        " [i.naturalWidth, i.getBoundingClientRect().width])")
    same([natural for natural, _ in sizes], [24 * 112] * 4, "pictures without script")
    true(all(900 < shown < 1200 for _, shown in sizes), "they fit the window of 1200: %r" % sizes)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def check_odd_page(browser, odd, folder):
    browser.show(1200, 900)
    open_ready(browser, odd)
    same(browser.run("document.title"), "Odd </title><script>1/</script> things", "title")
    same(browser.run("document.querySelectorAll('script').length"), 1, "scripts")
    same(browser.run("document.querySelectorAll('img:not(.sheet img), td *, h3 *, i, p *')"
                     ".length"), 0, "smuggled elements")
    button = "document.querySelectorAll('th button')[1]"
    numbers = ["10", "9.5", "", "-3 \u00b1 2", "not a number"]
    same(column(browser, 1), numbers, "cells")
    browser.point(button, click=True)
    same(column(browser, 1), ["-3 \u00b1 2", "9.5", "10", "", "not a number"], "upward")
    browser.point(button, click=True)
    same(column(browser, 1), ["10", "9.5", "-3 \u00b1 2", "", "not a number"], "downward")
    said = "document.querySelectorAll('figure.heat')[%d].querySelector('output').textContent"
    for index, wanted in ((1, "row 2, column 1: outside"), (2, "row 1, column 1: 5")):
        browser.point("document.querySelectorAll('.cells')[%d]" % index, 0.6, 0.6)
        same(browser.run(said % index), wanted, "map %d" % index)
    for index, row, right, wanted in (
            (0, 0, 0.9, "step 1, </p><i> \u2013, matched by <b>long</b> steps 1 to 2, "
             "4 to 5, 7 to 8, 10 to 11 and 158 more, matched by "),
            (0, 1, 0.0, "<b>long</b> step 0, value \u2013, matches no step of row 0"),
            (0, 2, 0.875, '"few" of many step 480, v 0.4800, matches no step of row 0'),
            (0, 3, 0.9, "tall step 1, matches row 0 step 1"),
            (1, 0, 0.5, "step 0, value \u22120.001000")):
        open_strip(browser, index)
        browser.point("%s.querySelectorAll('.sheet')[%d]" % (STRIP % index, row), right)
        words = browser.run((STRIP % index) + ".querySelector('output').textContent")
        true(words.startswith(wanted), "strip %d, row %d: %s" % (index, row, words))
    # the single peak among 100,000 points is still there
    true(browser.run("document.querySelectorAll('figure.curves')[5].querySelector('.series')"
                     ".dataset.y.split(',').some((y) => y > 1.9)"), "the peak was thinned away")
    if folder:
        browser.screenshot(os.path.join(folder, "odd.png"))


def check_picture(browser, picture, folder):
    browser.show(1280, 420)
    browser.open(picture)
    same(browser.run("document.documentElement.tagName"), "svg", "the picture's root")
    same(browser.run("document.querySelectorAll('parsererror').length"), 0, "parser errors")
    browser.run("document.querySelector('image').decode()")
    if folder:
        browser.screenshot(os.path.join(folder, "picture.png"))


def check_all(browser, folder, page, picture, odd):
    check_looks(browser, page, folder)
    open_ready(browser, page)
    check_sorting(browser)
    check_curves(browser)
    check_heat_maps(browser)
    check_strips(browser)
    check_keyboard(browser)
    check_odd_page(browser, odd, folder)
    check_picture(browser, picture, folder)
    check_without_script(browser, page)
    same(browser.errors, [], "errors in the console")
    outside = [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))]
    same(outside, [], "requests to the network")


def main():
    path = chromium.find()
    if path is None:
        print("no Chromium here: skipped")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        files = [os.path.join(temporary, name) for name in ("page.html", "picture.svg", "odd.html")]
        subprocess.run([sys.argv[1], *files], check=True)
        print(json.dumps({os.path.basename(file): os.path.getsize(file) for file in files}))
        browser = chromium.Browser(path)
        try:
            check_all(browser, sys.argv[2] if len(sys.argv) > 2 else None, *files)
        finally:
            browser.close()
    print("all right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
