"""A headless Chromium, driven through its debugging pipe with the standard library only."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-default-apps", "--disable-extensions", "--hide-scrollbars",
         "--remote-debugging-pipe"]


def find():
    """Path of the browser, or None."""
    for name in (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name) if name else None
        if path:
            return path
    return None


class Browser:
    """One tab. Exceptions and console errors of the page are collected in `errors`."""

    def __init__(self, path, timeout=60):
        self.timeout = timeout
        self.profile = tempfile.mkdtemp(prefix="temporalot-chromium-")
        self.errors = []
        self.requests = []
        self.events = set()
        self.count = 0
        self.buffer = b""
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()
        # the browser reads commands from descriptor 3 and answers on 4
        command = 'exec "$@" 3<&%d 4>&%d' % (to_read, back_write)
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", path, *FLAGS, "--user-data-dir=" + self.profile],
            pass_fds=(to_read, back_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        os.close(to_read)
        os.close(back_write)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        tab = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = tab["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.back], [], [], max(0, deadline - time.monotonic()))
            chunk = os.read(self.back, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer")
            self.buffer += chunk
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def note(self, message):
        method, values = message.get("method"), message.get("params", {})
        self.events.add(method)
        if method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(values["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "assert"):
            self.errors.append(str(values["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def call(self, method, **values):
        self.count += 1
        message = {"id": self.count, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.timeout
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.note(answer)

    def show(self, width, height, dark=False, phone=False, media="screen"):
        """Sets the window size and the media features of the screen."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        self.events.discard("Page.loadEventFired")
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.monotonic() + self.timeout
        while "Page.loadEventFired" not in self.events:
            self.note(self.receive(deadline))

    def run(self, script):
        """The value of a JavaScript expression; promises are awaited."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError("%s\n%s" % (script, json.dumps(result["exceptionDetails"])))
        return result["result"].get("value")

    def wait_for(self, script):
        deadline = time.monotonic() + self.timeout
        while not self.run(script):
            if time.monotonic() > deadline:
                raise RuntimeError("never came true: " + script)
            time.sleep(0.02)

    def mouse(self, kind, x, y):
        pressed = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **pressed)

    def point(self, script, right=0.5, down=0.5, click=False):
        """Moves the pointer into the element returned by the script, and clicks there if click is set."""
        box = self.run("(() => { const e = %s; e.scrollIntoView({block: 'center'});"
                       " const b = e.getBoundingClientRect();"
                       " return [b.left, b.top, b.width, b.height]; })()" % script)
        x, y = box[0] + right * box[2], box[1] + down * box[3]
        self.mouse("mouseMoved", x, y)
        if click:
            self.mouse("mousePressed", x, y)
            self.mouse("mouseReleased", x, y)

    def press(self, key, shift=False):
        for kind in ("keyDown", "keyUp"):
            extra = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      modifiers=8 if shift else 0,
                      windowsVirtualKeyCode={"Tab": 9, "Enter": 13, "ArrowUp": 38,
                                             "ArrowDown": 40}.get(key, 0), **extra)

    def screenshot(self, path):
        """Takes a screenshot of the whole page, however long."""
        size = self.run("[document.documentElement.scrollWidth,"
                        " document.documentElement.scrollHeight]")
        # enlarge the window: pictures outside it would have holes
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                  deviceScaleFactor=1, mobile=False)
        time.sleep(0.2)
        picture = self.call("Page.captureScreenshot", format="png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
