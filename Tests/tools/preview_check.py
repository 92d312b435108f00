"""Opens preview pages in headless Chromium and prints what is wrong with them, a line each; nothing where all is well.

preview_check.py CHROMIUM pages NAMES.html MANY.html [SHOTS]   a small pack with names that could do harm; one of 500 stickers
preview_check.py CHROMIUM watch DIR                            a pack that decal watches; DIR/new.png becomes DIR/art/one.png

Only Python's own library is used: Chromium is spoken to over its debugging socket.
"""
import base64, json, os, re, shutil, socket, struct, subprocess, sys, tempfile, threading, time, urllib.request
from pathlib import Path

PATIENCE = 120  # seconds; a machine may be busy


class Browser:
    """One page of a headless Chromium."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="decal-chromium-")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--remote-debugging-port=0", "--user-data-dir=" + self.profile, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        port = next(m[1] for m in (re.search(r"ws://127\.0\.0\.1:(\d+)/", line) for line in self.process.stderr) if m)
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.events, self.number = [], 0
        self.connect(int(port), self.page_path(port))
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.call(domain + ".enable")

    def page_path(self, port):
        while True:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=PATIENCE) as answer:
                for target in json.load(answer):
                    if target["type"] == "page":
                        return target["webSocketDebuggerUrl"].split(port, 1)[1]
            time.sleep(0.1)

    def connect(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.exactly(1)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise EOFError("Chromium ended")
            data += piece
        return data

    def receive(self):
        data, last = b"", False
        while not last:
            first, length = self.exactly(2)
            last, length = first & 128, length & 127
            if length > 125:
                form = {126: ">H", 127: ">Q"}[length]
                length = struct.unpack(form, self.exactly(struct.calcsize(form)))[0]
            data += self.exactly(length)
        return json.loads(data)

    def call(self, method, **params):
        self.number += 1
        text = json.dumps({"id": self.number, "method": method, "params": params}).encode()
        size = bytes([128 | len(text)]) if len(text) < 126 else bytes([254]) + struct.pack(">H", len(text))
        if len(text) > 65535:
            size = bytes([255]) + struct.pack(">Q", len(text))
        # A mask of zeros changes nothing.
        self.socket.sendall(b"\x81" + size + bytes(4) + text)
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def look(self, width, dark=False, calm=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}])

    def open(self, path):
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        self.until("document.readyState === 'complete' && location.protocol === 'file:'")

    def js(self, code):
        result = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{code}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, condition):
        """Waits for what comes sooner or later; answers whether it came."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.js(f"Boolean({condition})"):
                    return True
            except RuntimeError:
                pass  # The page is just being left.
            time.sleep(0.05)
        return False

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if len(key) == 1 and kind == "keyDown" else {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            codes = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "/": 191}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes[key], **text)

    def shot(self, folder, name):
        if folder:
            data = self.call("Page.captureScreenshot", format="png")["data"]
            (Path(folder) / (name + ".png")).write_bytes(base64.b64decode(data))

    def faults(self):
        """What went to the console and to a network since the last time."""
        found = []
        self.js("1")
        for event in self.events:
            params = event.get("params", {})
            if event["method"] == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append("console: " + params["entry"]["text"] + " " + params["entry"].get("url", ""))
            elif event["method"] == "Runtime.exceptionThrown":
                found.append("exception: " + json.dumps(params["exceptionDetails"])[:300])
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append("console: " + json.dumps(params["args"])[:300])
            elif event["method"] == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append("request: " + url)
        self.events.clear()
        return found

    def nameless(self):
        """Controls that a screen reader has no name for."""
        controls = {"button", "link", "slider", "radio", "checkbox", "searchbox", "combobox", "dialog"}
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [node["role"]["value"] for node in nodes
                if not node.get("ignored") and node.get("role", {}).get("value") in controls
                and not node.get("name", {}).get("value", "").strip()]

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Check:
    def __init__(self, browser, shots):
        self.browser, self.shots, self.page = browser, shots, ""

    def say(self, is_right, what):
        if not is_right:
            print(f"{self.page}: {what}")

    def value(self, code, wanted, what):
        found = self.browser.js(code)
        self.say(found == wanted, f"{what}: {found!r}, not {wanted!r}")

    def begin(self, page, path, **look):
        self.page = page
        self.browser.look(**look)
        self.browser.open(path)
        self.say(self.browser.until("document.querySelector('.card')"), "no card appears")

    def end(self):
        self.value("document.documentElement.scrollWidth <= innerWidth", True, "fits its width")
        for fault in self.browser.faults():
            self.say(False, fault)
        self.browser.shot(self.shots, self.page.replace(" ", "-"))

    def names(self, path):
        browser = self.browser
        self.begin("names at 1280", path, width=1280)
        self.value("document.querySelectorAll('script').length", 2, "scripts")
        self.value("typeof hacked", "undefined", "no script of a name runs")
        self.value("""JSON.stringify([...document.querySelectorAll('.card h3 bdi')].map(one => one.textContent))
          === JSON.stringify(data.stickers.map(one => visible(one.name)))""", True, "names are shown as they are")
        self.value("document.querySelectorAll('.card img:not([src^=\"Stickers\"]):not([src^=\"..\"])').length", 0, "pictures of names")
        self.value("document.title === data.name", True, "the title is the name")
        self.value("getComputedStyle(document.querySelector('.browser')).gridTemplateColumns.split(' ').length",
                   browser.js("data.grid.columns"), "columns of the browser")
        self.say(browser.until("document.querySelector('.talk .sent img')?.naturalWidth"), "no sticker is sent")
        self.say(browser.until("document.querySelector('.talk .peel img')?.naturalWidth"), "no sticker is peeled")
        self.value("document.querySelectorAll('.phone').length", 2, "phones")
        for control in browser.nameless():
            self.say(False, f"a {control} has no name")
        self.value("[...document.querySelectorAll('.browser button')].filter(one => one.tabIndex === 0).length", 2,
                   "a browser is one stop of the Tab key")
        browser.js("document.querySelector('.browser button[tabindex=\"0\"]').focus()")
        browser.key("ArrowRight")
        self.value("document.activeElement === document.querySelectorAll('.browser button')[1]", True, "→ goes to the next sticker")
        for part in ("stickers", "icons"):
            browser.js(f"document.getElementById('{part}').scrollIntoView()")
            self.say(browser.until(f"[...document.querySelectorAll('#{part} img')].some(one => one.naturalWidth)"), f"no picture of the {part}")
            browser.shot(self.shots, part)
        self.value("document.querySelectorAll('.slot').length", browser.js("data.icons.length"), "icons")
        browser.js("document.getElementById('slots').scrollIntoView()")
        self.say(browser.until("[...document.querySelectorAll('.slot')].slice(0, 3).every(one => one.querySelector('img').naturalWidth)"),
                 "icons are not loaded")
        self.keyboard()
        self.worst()
        self.end()
        for width, dark in ((375, True), (320, False), (1600, True)):
            self.begin(f"names at {width}", path, width=width, dark=dark, calm=width == 375)
            self.end()

    def keyboard(self):
        browser = self.browser
        browser.js("document.body.focus()")
        browser.key("/")
        self.value("document.activeElement.id", "find", "/ goes to the filter")
        browser.js("window.at = shown.findIndex(one => one.status === 'made'); cardOf.get(shown[at]).querySelector('h3 button').focus()")
        browser.key("Enter")
        self.say(browser.until("document.getElementById('detail').open && document.querySelector('#stage .is img')"), "Enter opens no sticker")
        title = "document.querySelector('#detail-title bdi').textContent"
        self.value(title + " === visible(shown[at].name)", True, "the sticker is the one that was opened")
        self.value("document.querySelectorAll('#stage .was img').length", 1, "its source")
        browser.js("document.querySelector('#stage input').focus()")
        before = browser.js("document.querySelector('.compare').style.getPropertyValue('--at')")
        browser.key("ArrowLeft")
        self.value("document.querySelector('.compare').style.getPropertyValue('--at') === '%s'" % before, False, "the slider moves")
        self.value(title + " === visible(shown[at].name)", True, "the slider's keys are its own")
        for control in browser.nameless():
            self.say(False, f"a {control} of the dialog has no name")
        browser.shot(self.shots, "detail")
        browser.js("showDetail(stickers.find(one => one.name === 'steps'))")
        self.say(browser.until("document.querySelector('#stage .was canvas')"), "numbered frames are not shown")
        browser.js("window.steps = new Set(); window.plainDraw = CanvasRenderingContext2D.prototype.drawImage;"
                   "CanvasRenderingContext2D.prototype.drawImage = function (image, ...rest) { steps.add(image.src.split('?')[0].slice(-5)); return plainDraw.call(this, image, ...rest); }")
        self.say(browser.until("steps.size === 3"), "numbered frames do not play")
        self.value("document.querySelectorAll('.compare .placed').length", 1, "the source lies where it was pressed")
        browser.js("showDetail(shown[at])")
        browser.js("document.getElementById('close').focus()")
        browser.key("ArrowRight")
        self.value(title + " === visible(shown[at + 1].name)", True, "→ goes on")
        browser.key("Escape")
        self.say(browser.until("!document.getElementById('detail').open"), "Escape does not close")

    def worst(self):
        self.browser.js("byId('sort').value = 'worst'; byId('sort').onchange({ target: byId('sort') })")
        self.value("shown[0].status", "failed", "the worst is the one that failed")
        self.value("/error/.test(document.querySelector('.card .says').textContent)", True, "its error stands beside it")
        self.value("shown.slice(1).every((one, at, all) => !at || badness(all[at - 1]) <= badness(one))", True, "sorted by the worst")

    def many(self, path):
        browser = self.browser
        self.begin("many", path, width=1280)
        self.value("document.querySelectorAll('.card').length", 500, "cards")
        self.say(browser.until("document.querySelectorAll('.pic img').length > 4"), "no picture is loaded")
        self.value("document.querySelectorAll('.pic img').length < 100", True, "only what is in view is loaded")
        playing = "[...document.querySelectorAll('.card')].slice(0, 6).flatMap(one => [...one.querySelectorAll('img')]).length"
        browser.js("document.getElementById('stickers').scrollIntoView()")
        self.say(browser.until(playing + " >= 4"), "what is in view does not play")
        browser.js("scrollTo(0, document.body.scrollHeight)")
        moving = "shown.slice(0, 6).filter(isMoving).flatMap(one => [...cardOf.get(one).querySelectorAll('img')]).length"
        self.say(browser.until(moving + " === 0"), "what is out of view plays on")
        browser.js("byId('find').value = 'sticker 49'; byId('find').oninput({ target: byId('find') })")
        self.value("document.querySelectorAll('.card').length", 15, "filtered cards")
        self.end()
        self.begin("many without motion", path, width=375, calm=True)
        browser.js("sessionStorage.clear(); location.reload()")
        self.say(browser.until("document.readyState === 'complete' && document.querySelectorAll('.card').length === 500"), "no cards")
        browser.js("document.getElementById('stickers').scrollIntoView()")
        self.say(browser.until("document.querySelector('.card .pic.held canvas')"), "animations have no still")
        self.value("shown.filter(isMoving).flatMap(one => [...cardOf.get(one).querySelectorAll('img')]).length", 0, "nothing moves")
        self.value("document.getElementById('play').textContent", "Play", "they can be played")
        browser.js("showDetail(shown.find(isMoving))")
        self.say(browser.until("document.querySelectorAll('#stage canvas').length === 2"), "source and result are not still")
        self.value("document.querySelectorAll('#stage img').length", 0, "nothing moves beside the slider")
        browser.js("document.getElementById('detail').close()")
        browser.js("scrollTo(0, 20000)")
        top = ("[...document.querySelectorAll('.card')].filter(one => one.getBoundingClientRect().bottom > 80).slice(0, 1)"
               ".map(one => one.querySelector('h3').textContent + Math.round(one.getBoundingClientRect().top)).join()")
        browser.until("document.querySelector('.card .pic canvas')")
        # At once, for what is in view may still take its true height.
        before = browser.js(f"keepPlace(); window.old = true; location.reload(); {top}")
        self.say(browser.until(f"!window.old && document.readyState === 'complete' && {top} === {json.dumps(before)}"),
                 "it does not come back to its place")
        self.end()

    def watched(self, folder):
        browser, folder = self.browser, Path(folder)
        self.begin("watched", folder / "out/preview.html", width=1280)
        self.say(browser.until("document.getElementById('live').textContent === 'Watching'"), "it does not watch")
        browser.js("scrollTo(0, 700)")
        browser.js("window.old = true")
        shutil.copy(folder / "new.png", folder / "art/one.png")
        self.say(browser.until("!window.old && document.querySelector('.card.changed')"), "it does not refresh")
        self.value("[...document.querySelectorAll('.card.changed h3 bdi')].map(one => one.textContent).join()", "one", "marked")
        self.say(browser.until("scrollY === 700"), "the scroll place is lost")
        self.value("document.getElementById('told').textContent", "Just changed: one", "told")
        self.end()


def main():
    browser = Browser(sys.argv[1])
    try:
        check = Check(browser, sys.argv[5] if len(sys.argv) > 5 else None)
        if sys.argv[2] == "watch":
            check.watched(sys.argv[3])
        else:
            check.names(sys.argv[3])
            check.many(sys.argv[4])
    finally:
        browser.close()


main()
