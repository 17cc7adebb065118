# shellcheck shell=bash
# Sourced: which tools of this machine will do, and what is lacking.

readonly RUBY_NEEDED=3.2 RUST_NEEDED=1.85

# at_least 1.95.0 1.85: whether the first version is the second or a later one.
at_least() {
  [[ -n $1 && $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]
}

ruby_version() { "$1" --disable-gems -e 'print RUBY_VERSION' 2>/dev/null || true; }

# `cargo 1.95.0 (...)` and `rustc 1.95.0 (...)` alike; nothing where the tool does not run.
rust_version() { { "$1" --version 2>/dev/null || true; } | awk '{ print $2; exit }'; }

ruby_will_do() { at_least "$(ruby_version "$1")" "$RUBY_NEEDED"; }
rust_will_do() {
  at_least "$(rust_version "${1}cargo")" "$RUST_NEEDED" && at_least "$(rust_version "${1}rustc")" "$RUST_NEEDED"
}

# A tool on PATH is taken as it is. Where that is too old and a usual place has a newer one, that place goes first.
choose_tools() {
  local cargo_bin=${CARGO_HOME:-$HOME/.cargo}/bin/
  if ! rust_will_do ""; then
    if rust_will_do "$cargo_bin"; then PATH=$cargo_bin:$PATH; elif rust_will_do /usr/bin/; then PATH=/usr/bin:$PATH; fi
  fi
  if ! ruby_will_do ruby && ruby_will_do /usr/bin/ruby; then PATH=/usr/bin:$PATH; fi
  export PATH
  hash -r
}

# libclang reads Ruby's headers for the binding, and needs the compiler's own headers beside it.
has_libclang() {
  if [[ -n ${LIBCLANG_PATH:-} ]]; then return 0; fi
  local place developer=/Library/Developer/CommandLineTools/usr/lib
  for place in "/usr/lib/llvm-*/lib" "/usr/lib*" "$developer" /opt/homebrew/opt/llvm/lib; do
    if compgen -G "$place/libclang*.so*" >/dev/null || compgen -G "$place/libclang.dylib" >/dev/null; then
      if compgen -G "$place/clang/*/include/stddef.h" >/dev/null; then return 0; fi
    fi
  done
  return 1
}

has_c_compiler() { echo '#include <stdio.h>' | cc -E - >/dev/null 2>&1; }

# One word a line for each thing that building and testing lack.
lacking() {
  if ruby_will_do ruby; then
    ruby -e '
      puts "ruby-headers" unless File.exist?(File.join(RbConfig::CONFIG["rubyhdrdir"].to_s, "ruby.h"))
      %w[bundler minitest mocha rake].each do |name|
        puts "gem-#{name}" if Gem::Specification.find_all_by_name(name).empty?
      end
    '
  else
    echo ruby
  fi
  rust_will_do "" || echo rust
  has_libclang || echo libclang
  has_c_compiler || echo c-compiler
}

# The same for what only `rake lint` uses.
lacking_linters() {
  local tool
  if rust_will_do ""; then
    cargo clippy --version >/dev/null 2>&1 || echo clippy
    cargo fmt --version >/dev/null 2>&1 || echo rustfmt
  else
    printf '%s\n' clippy rustfmt
  fi
  for tool in rubocop shellcheck; do command -v "$tool" >/dev/null || echo "$tool"; done
}
