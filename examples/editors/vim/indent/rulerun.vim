" Two blanks a brace; :!rulerun fmt % settles the rest.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=RulerunIndent(v:lnum) indentkeys=0{,0},0),0],!^F,o,O
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*RulerunIndent')
  finish
endif

" RulerunIndent is the indentation of a line: so much for every bracket that is open before it in its declaration. A line
" that goes on stands further in, as its author likes it, and stays there.
function RulerunIndent(line) abort
  let depth = 0
  for n in range(a:line - 1, 1, -1)
    let bare = substitute(substitute(getline(n), '"\(\\.\|[^"\\]\)*"', '', 'g'), '//.*$', '', '')
    let depth += len(substitute(bare, '[^{(\[]', '', 'g')) - len(substitute(bare, '[^})\]]', '', 'g'))
    if bare =~# '^\K'
      break
    endif
  endfor
  if getline(a:line) =~# '^\s*[})\]]'
    let depth -= 1
  endif
  let wanted = max([0, depth * shiftwidth()])
  return getline(a:line) =~# '\S' && indent(a:line) > wanted ? -1 : wanted
endfunction
