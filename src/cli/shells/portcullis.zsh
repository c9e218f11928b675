#compdef portcullis
# Completion of portcullis for zsh. Put it into a folder of $fpath, as _portcullis.
_portcullis() {
  local -a found
  found=("${(@f)$(portcullis completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "$found" == ":path" ]]; then _files
  elif [[ -n "$found" ]]; then _describe -t words word found
  fi
}
if [ "$funcstack[1]" = "_portcullis" ]; then _portcullis "$@"; else compdef _portcullis portcullis; fi
