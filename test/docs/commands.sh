# The commands that the pages use, for the shell of the test: they run what this clone has built, and install nothing.
# ROOT is the clone, and PYTHON a Python that has httpx and pydantic. PORT, and PORTCULLIS_URL with it, is a free port.

# A service does not outlive the shell, however the test ends.
trap 'kill $(jobs -p) 2> /dev/null; wait' EXIT

# Programs of a page import the package by its name.
node() {
  command node --import "$ROOT/test/support/package-from-source.ts" "$@"
}

# Programs of a page import the client from its sources: PYTHONPATH names them.
python3() {
  command "$PYTHON" "$@"
}

portcullis() {
  command node "$ROOT/dist/cli/main.js" "$@"
}

# The service goes on beside the shell, in its folder. What it prints until it is ready is what a reader sees.
start_service() {
  command node "$ROOT/dist/main.js" "$@" > service.log 2>&1 &
  local last='"msg":"ready"'
  if [ "$*" = --secure ]; then last="The first operator's key"; fi
  until grep -q "$last" service.log; do
    kill -0 $! 2> /dev/null || break
    sleep 0.1
  done
  cat service.log
  kill -0 $!
}

npm() {
  local words="$*"
  case "$words" in
    start) start_service ;;
    "start -- "*) shift 2 && start_service "$@" ;;
    "run -s portcullis -- "*) shift 4 && portcullis "$@" ;;
    *) echo "The test has no npm $words. Mark the block as console, with the reason." && return 64 ;;
  esac
}
