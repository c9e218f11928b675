# Completion of portcullis for bash. Add to ~/.bashrc:   source <(portcullis completion bash)
_portcullis() {
  local found current="${COMP_WORDS[COMP_CWORD]}"
  found="$(portcullis completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
  if [ "$found" = ":path" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$found" -- "$current"))
  fi
}
complete -F _portcullis portcullis
